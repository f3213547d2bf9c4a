// Every kept case comes out as its file says, and a file that says nothing sensible is refused.
#include "properties/search/regressions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>

#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;

/// A regression that gtest prints by its name.
struct Named {
  Regression kept;
  friend void PrintTo(const Named& named, std::ostream* out) { *out << named.kept.name; }
};

std::vector<Named> all_regressions() {
  std::vector<Named> all;
  for (Regression& kept : read_regressions(regressions_folder(), catalogue()))
    all.push_back({std::move(kept)});
  return all;
}

std::string regression_name(const testing::TestParamInfo<Named>& info) {
  std::string name = fs::path(info.param.kept.name).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

class RegressionTest : public testing::TestWithParam<Named> {};

TEST_P(RegressionTest, ComesOutAsItMust) {
  const Regression& kept = GetParam().kept;
  const Claim& claim = find_claim(kept.claim);
  EXPECT_EQ(to_string(decide(claim, kept.input).verdict), to_string(kept.verdict)) << kept.found;
  EXPECT_FALSE(kept.found.empty());
}

INSTANTIATE_TEST_SUITE_P(Kept, RegressionTest, testing::ValuesIn(all_regressions()),
                         regression_name);

TEST(Regressions, HoldAWitnessAgainstEveryRefutedClaim) {
  const std::vector<Regression> all = read_regressions(regressions_folder(), catalogue());
  for (const Claim& claim : catalogue()) {
    if (claim.status != Status::refuted) continue;
    const std::vector<Regression> kept = regressions_of(claim, all);
    EXPECT_TRUE(std::ranges::any_of(kept, [](const Regression& r) {
      return r.verdict == Verdict::violated;
    })) << claim.id;
  }
}

/// A folder with one file of this content.
class RegressionFile : public testing::Test {
 protected:
  void write(const std::string& content) const { write_file(folder_ / "case.json", content); }
  void expect_refused(BadInputParts parts) const {
    parts.where = (folder_ / "case.json").string() + parts.where;
    EXPECT_BAD_INPUT(read_regressions(folder_.path(), catalogue()), parts);
  }

  test::TemporaryFolder folder_;
};

TEST_F(RegressionFile, IsRead) {
  write(R"({"claim": "corollary3", "case": {"logits": ["0", "0"]}, "verdict": "violated",
            "found": "by hand"})");
  const std::vector<Regression> all = read_regressions(folder_.path(), catalogue());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].claim, "corollary3");
  EXPECT_EQ(all[0].verdict, Verdict::violated);
  EXPECT_EQ(all[0].found, "by hand");
  EXPECT_EQ(all[0].name, "case.json");
}

TEST_F(RegressionFile, OfAnUnknownVerdictIsRefused) {
  write(R"({"claim": "corollary3", "case": {"logits": ["0", "0"]}, "verdict": "false",
            "found": "by hand"})");
  expect_refused({.kind = BadInputKind::unknown_name,
                  .where = ": \"verdict\"",
                  .expected = "one of holds",
                  .found = "'false'"});
}

TEST_F(RegressionFile, ThatIsNoRegressionIsRefused) {
  using enum BadInputKind;
  const std::pair<const char*, BadInputParts> refused[] = {
      {"", {.kind = malformed, .found = "not JSON"}},
      {"[]", {.kind = malformed, .found = "array"}},
      {"{", {.kind = malformed, .found = "not JSON"}},
      {R"({"claim": "corollary3"})", {.kind = malformed, .found = "without a case"}},
      {R"({"claim": "none", "case": {"logits": ["0", "0"]}, "verdict": "holds", "found": "x"})",
       {.kind = unknown_name, .found = "'none'"}},
      {R"({"claim": "corollary3", "case": {"logits": ["0"]}, "verdict": "holds", "found": "x"})",
       {.kind = out_of_range, .where = ": case of corollary3: logits"}},
      {R"({"claim": "corollary3", "case": {"logits": ["0", "0"]}, "verdict": "holds"})",
       {.kind = missing, .where = ": \"found\""}},
  };
  for (const auto& [content, parts] : refused) {
    SCOPED_TRACE(content);
    write(content);
    expect_refused(parts);
  }
}

TEST_F(RegressionFile, AFolderThatIsNotThereIsRefused) {
  EXPECT_BAD_INPUT(read_regressions(folder_ / "none", catalogue()),
                   {.kind = BadInputKind::missing, .where = (folder_ / "none").string()});
}

}  // namespace

}  // namespace attn::properties
