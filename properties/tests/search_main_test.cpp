// The program of somebody else's catalogue: its flags, what it names, its second implementations.
#include "properties/cli/search_main.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/cli/searching.hpp"
#include "reports/io/report_json.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/recheck/check.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Catalogue& mine() {
  static const Catalogue all("mine", {find_claim("corollary3"), find_claim("corollary3.sharp")});
  return all;
}

/// Ours of these ids.
recheck::Checks checks_of(const std::vector<std::string_view>& ids) {
  recheck::Checks checks;
  for (const recheck::Check& check : recheck::listed_checks()) {
    if (std::ranges::find(ids, check.id) != ids.end()) checks.push_back(check);
  }
  return checks;
}

struct Outcome {
  int code;
  std::string out, err;
};

Outcome run(std::vector<std::string> words, const recheck::Checks& checks = {}) {
  words.insert(words.begin(), "somewhere/my_search");
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = search_main(mine(), static_cast<int>(argv.size()), argv.data(), checks);
  std::string out = testing::internal::GetCapturedStdout();
  return {code, std::move(out), testing::internal::GetCapturedStderr()};
}

class SearchMain : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(SearchMain, RefusesAnOutThatIsNoFolderBeforeItSearches) {
  const fs::path file = folder_ / "file";
  write_file(file, "kept");
  const Outcome outcome = run({"--effort", "quick", "--out", file});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("expected a folder, or none"));
  EXPECT_EQ(read_file(file), "kept");
}

TEST_F(SearchMain, NamesItselfAndItsOwnFlags) {
  const Outcome found = run({"--claim", "corollary3", "--effort", "quick", "--seed", "4"});
  EXPECT_EQ(found.code, kAsExpected) << found.out << found.err;
  EXPECT_THAT(found.out, AllOf(HasSubstr("1 claims"), HasSubstr("}]' | my_search eval -\n"),
                               Not(HasSubstr("corollary3.sharp ")), Not(HasSubstr("claims eval")),
                               Not(HasSubstr("recheck corol"))));
  EXPECT_FALSE(fs::exists("report.json"));
}

TEST_F(SearchMain, WritesAReportThatNamesItsProgram) {
  const fs::path out = folder_ / "out";
  const Outcome found = run({"--effort", "quick", "--out", out.string()});
  EXPECT_EQ(found.code, kAsExpected) << found.out << found.err;
  const report::Report report = report::read_report(out / "report.json");
  ASSERT_TRUE(report.catalogue);
  EXPECT_EQ(report.catalogue->name, "mine");
  EXPECT_EQ(report.catalogue->eval, "my_search eval");
  ASSERT_EQ(report.claims.size(), 2U);
  EXPECT_EQ(report.claims[0].replay, "my_search --claim corollary3 --seed 1 --effort quick");
  EXPECT_EQ(report.claims[1].mutants.at(0).replay,
            "my_search --claim corollary3.sharp --seed 1 --effort quick");
  EXPECT_THAT(read_file(out / "claims" / "corollary3.html"),
              AllOf(HasSubstr("my_search eval - "), Not(HasSubstr("claims eval"))));
  EXPECT_FALSE(fs::exists(out / "certificates"));
}

TEST(PrintsEach, WhereClaimsAreChosenOrNotThePapersOrItIsAskedFor) {
  properties::SearchOptions asked;
  asked.run.catalogue = &catalogue();
  EXPECT_FALSE(prints_each(asked));
  asked.verbose = true;
  EXPECT_TRUE(prints_each(asked));
  asked.verbose = false;
  asked.claims = {"corollary3"};
  EXPECT_TRUE(prints_each(asked));
  asked.claims.clear();
  asked.run.catalogue = &mine();
  EXPECT_TRUE(prints_each(asked));
}

TEST_F(SearchMain, DecidesGivenCases) {
  const std::string file = (folder_ / "cases.json").string();
  write_file(file, R"([{"claim": "corollary3", "case": {"logits": ["0", "0"]}}])");
  const Outcome found = run({"eval", file});
  EXPECT_EQ(found.code, kAsExpected) << found.err;
  EXPECT_EQ(json::parse(found.out).at(0).at("verdict"), "violated");
  write_file(file, R"([{"claim": "lemma2", "case": {"logits": ["0", "0"]}}])");
  const Outcome other = run({"eval", file});
  EXPECT_EQ(other.code, kBadInput);
  EXPECT_THAT(other.err,
              HasSubstr("expected a claim of mine, found 'lemma2'; there is: corollary3, "
                        "corollary3.sharp"));
}

TEST_F(SearchMain, RefusesInOneLineWhatItDoesNotHave) {
  const std::vector<std::string> refused[] = {
      {"--claim", "lemma2"}, {"--shard", "1/2"}, {"recheck", "file.json"}};
  for (const std::vector<std::string>& words : refused) {
    const Outcome found = run(words);
    EXPECT_EQ(found.code, kBadInput) << words[0];
    EXPECT_EQ(std::ranges::count(found.err, '\n'), 1) << found.err;
    EXPECT_THAT(found.err, testing::StartsWith("my_search: "));
  }
}

TEST_F(SearchMain, DecidesWhatSettlesAClaimByBothImplementations) {
  const fs::path out = folder_ / "out";
  const recheck::Checks both = checks_of({"corollary3", "corollary3.sharp"});
  const Outcome found = run({"--effort", "quick", "--out", out.string()}, both);
  EXPECT_EQ(found.code, kAsExpected) << found.out << found.err;
  for (const char* const line : {"recheck corollary3.example ", "recheck corollary3.violated ",
                                 "recheck corollary3.sharp.example "}) {
    EXPECT_THAT(found.out, HasSubstr(line));
  }
  EXPECT_THAT(found.out, AllOf(HasSubstr("equal     the second implementation agrees: equal"),
                               HasSubstr("violated  the second implementation agrees: violated"),
                               Not(HasSubstr("does not agree"))));
  const std::string certificate = (out / "certificates/corollary3.violated.json").string();
  const Outcome again = run({"recheck", certificate}, both);
  EXPECT_EQ(again.code, kAsExpected) << again.err;
  EXPECT_EQ(json::parse(again.out).at(0).at("agrees"), true);
}

TEST_F(SearchMain, IsNotAsExpectedWhereASecondImplementationContradicts) {
  recheck::Checks wrong = checks_of({"corollary3", "corollary3.sharp"});
  wrong[1].sides = wrong[0].sides;  // the printed bound, which is half the sharp one
  const Outcome found = run({"--claim", "corollary3.sharp", "--effort", "quick"}, wrong);
  EXPECT_EQ(found.code, kUnexpected);
  EXPECT_THAT(found.out, HasSubstr("the second implementation does not agree: violated"));
}

TEST_F(SearchMain, AsksForACheckOfEachClaimOnceOneHasOne) {
  const Outcome lacking = run({"--effort", "quick"}, checks_of({"corollary3"}));
  EXPECT_EQ(lacking.code, kUndecided);
  EXPECT_THAT(lacking.out, HasSubstr("no second implementation"));
  const Outcome strange = run({"--effort", "quick"}, checks_of({"lemma2"}));
  EXPECT_EQ(strange.code, kInternal);
  EXPECT_THAT(strange.err, HasSubstr("a second implementation of 'lemma2', which mine does not"));
}

}  // namespace
}  // namespace attn
