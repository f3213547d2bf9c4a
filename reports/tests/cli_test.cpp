#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/text/cases.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/kept_refusals.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/run_program.hpp"

namespace attn::report {
namespace {

namespace fs = std::filesystem;
using test::ProgramRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// `report` in a folder of the test's own.
class ReportCommand : public testing::Test {
 protected:
  void write(const std::string& name, const Report& report) const {
    write_report(folder_ / name, report);
  }

  [[nodiscard]] ProgramRun run(const std::string& arguments) const {
    return test::run_in(folder_, "'" ATTN_REPORT_BINARY "' " + arguments);
  }

  [[nodiscard]] bool has(const std::string& name) const { return fs::exists(folder_ / name); }

  /// Exit code 2, and one line that holds `message`.
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const ProgramRun refused = run(arguments);
    EXPECT_EQ(refused.status, 2) << arguments;
    EXPECT_EQ(refused.out, "") << arguments;
    EXPECT_THAT(refused.err, AllOf(testing::MatchesRegex("report: [^\n]+\n"), HasSubstr(message),
                                   test::IsKept()));
  }

  test::TemporaryFolder folder_;
};

TEST_F(ReportCommand, RendersAFolder) {
  write("in.json", sample_report());
  const ProgramRun run = this->run("render in.json --out out");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(read_file(folder_ / "out" / "index.html"), HasSubstr("</html>"));
  EXPECT_THAT(read_file(folder_ / "out" / "report.md"), HasSubstr("## The answer"));
  EXPECT_EQ(read_file(folder_ / "out" / "report.json"), read_file(folder_ / "in.json"));
  EXPECT_THAT(run.out, AllOf(HasSubstr("Read the report: "), Not(HasSubstr("\033"))));
}

TEST_F(ReportCommand, RendersBesideItsReport) {
  write("report.json", sample_report());
  const std::string before = read_file(folder_ / "report.json");
  EXPECT_EQ(run("render report.json --out .").status, 0);
  EXPECT_EQ(read_file(folder_ / "report.json"), before);
  EXPECT_TRUE(has("index.html"));
}

TEST_F(ReportCommand, RendersOverReportsAlone) {
  write("in.json", sample_report());
  for (const char* const name : {"report.json", "index.html", "report.md", "junit.xml",
                                 "figures/mine.csv", "claims/mine.html", "inputs/mine"}) {
    const fs::path file = folder_ / "out" / name;
    fs::create_directories(file.parent_path());
    write_file(file, "my own");
    expect_refused("render in.json --out out", "out/");
    EXPECT_EQ(read_file(file), "my own") << name;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "out"), fs::directory_iterator()), 1);
    fs::remove_all(folder_ / "out");
  }
  ASSERT_EQ(run("render in.json --out out").status, 0);
  write_file(folder_ / "out" / "mine.txt", "my own");
  EXPECT_EQ(run("render in.json --out out").status, 0);
  fs::remove(folder_ / "out" / "report.json");
  EXPECT_EQ(run("render in.json --out out").status, 0) << "the page tells its origin too";
  EXPECT_EQ(read_file(folder_ / "out" / "mine.txt"), "my own");
}

TEST_F(ReportCommand, MergesOverReportsAloneAndOverNoInput) {
  const auto [search, real] = two_stages();
  write("a.json", search);
  write("b.json", real);
  const std::string before = read_file(folder_ / "a.json");
  fs::create_symlink("a.json", folder_ / "link.json");
  for (const char* const out : {"a.json", "./a.json", "link.json"}) {
    expect_refused(fmt::format("merge b.json a.json --out {}", out),
                   fmt::format("{}: expected an output that is not read, found the input a.json; "
                               "name another",
                               out));
  }
  EXPECT_EQ(read_file(folder_ / "a.json"), before);
  write_file(folder_ / "notes.txt", "my own");
  expect_refused(
      "merge a.json b.json --out notes.txt",
      "notes.txt: expected nothing there, or a report.json to be replaced, found another "
      "file; move it away, or name another");
  EXPECT_EQ(read_file(folder_ / "notes.txt"), "my own");
  EXPECT_EQ(run("merge a.json b.json --out c.json").status, 0);
  EXPECT_EQ(run("merge a.json b.json --out c.json").status, 0) << "again";
}

TEST_F(ReportCommand, WritesNothingFromABrokenReport) {
  const std::string whole = report_text(sample_report());
  for (const std::string& content :
       {std::string(), std::string("[]"), std::string(R"({"schema": 1})"),
        whole.substr(0, whole.size() / 2)}) {
    write_file(folder_ / "broken.json", content);
    expect_refused("render broken.json --out out", "broken.json");
    EXPECT_FALSE(has("out")) << content.substr(0, 100);
  }
}

TEST_F(ReportCommand, GateSaysNothingOnStdoutOfAReportThatIsAsItShouldBe) {
  write("in.json", sample_report());
  const ProgramRun run = this->run(
      "gate in.json --baseline in.json --max-undecided 3 --require-stage synthetic "
      "--require-stage gpt2");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err,
            fmt::format("report gate: passed with {} claims in {} records: every outcome as "
                        "expected but for 3 undecided cases (0 are), --require-stage "
                        "synthetic gpt2, nothing worse than in in.json\n",
                        catalogue().size(), sample_report().claims.size()));
}

TEST_F(ReportCommand, ReadsStandardInput) {
  write("in.json", sample_report());
  EXPECT_EQ(run("gate - <in.json").status, 0);
  expect_refused("gate - </dev/null", "report: standard input: expected a report.json");
  EXPECT_EQ(run("render - --out out <in.json").status, 0);
  EXPECT_EQ(read_file(folder_ / "out" / "report.json"), read_file(folder_ / "in.json"));
}

TEST_F(ReportCommand, PrintsTheCasesOfAClaim) {
  const Report report = sample_report();
  write("in.json", report);
  const ProgramRun cases = run("case in.json corollary3");
  EXPECT_EQ(cases.status, 0);
  EXPECT_EQ(cases.out, cases_text(report, "corollary3"));
  EXPECT_EQ(run("case - corollary3 <in.json").out, cases.out);
  expect_refused("case in.json lemma9",
                 "in.json: expected a claim of which the report has a case, found 'lemma9'; name "
                 "one of its claims");
}

TEST_F(ReportCommand, GateHoldsAReportAgainstItsConditions) {
  Report report = sample_report();
  write("baseline.json", report);
  ASSERT_EQ(run("baseline baseline.json >reduced.json").status, 0);
  ClaimRecord& record = report.claims.front();
  record.cases += 2;
  record.undecided += 2;
  rejudge(record);
  write("in.json", report);
  const std::pair<const char*, int> codes[] = {
      {"", 3},
      {"--max-undecided 2", 0},
      {"--max-undecided 1", 3},
      {"--max-undecided 2 --require-stage gpt2", 0},
      {"--max-undecided 2 --require-stage activations", 1},
      {"--require-stage activations", 1},
      {"--max-undecided 2 --baseline baseline.json", 0},
      {"--baseline baseline.json", 1},
      {"--baseline reduced.json", 1},
      {"--max-undecided 2 --baseline reduced.json", 0},
  };
  for (const auto& [conditions, code] : codes) {
    const ProgramRun gate = run(fmt::format("gate in.json {}", conditions));
    EXPECT_EQ(gate.status, code) << conditions << "\n" << gate.out;
    EXPECT_EQ(gate.out.empty(), code == 0) << conditions;
  }
}

TEST_F(ReportCommand, GateRefusesWhatItCannotJudge) {
  Report other = sample_report();
  write("in.json", other);
  other.provenance.seed = 7;
  write("other.json", other);
  write_file(folder_ / "empty.json",
             R"({"baseline": 1, "settings": {"run": [], "inputs": []}, "records": [],
                 "comparisons": []})");
  const std::pair<const char*, const char*> refused[] = {
      {"--max-undecided -1", "max-undecided"},
      {"--max-undecided x", "max-undecided"},
      {"--require-stage nowhere", "expected one of {synthetic,gpt2,activations}"},
      {"--baseline none.json", "none.json"},
      {"--baseline empty.json", "expected at least one record"},
      {"--baseline other.json",
       "seed: expected the same in both reports, found \"7\" in the baseline and \"42\" in the "
       "report"},
  };
  for (const auto& [condition, message] : refused) {
    expect_refused(fmt::format("gate in.json {}", condition), message);
  }
}

TEST_F(ReportCommand, DiffTellsWhatChangedAndRefusesDifferentRunsUnlessForced) {
  Report other = sample_report();
  write("before.json", other);
  other.claims.erase(other.claims.begin());
  write("after.json", other);
  const ProgramRun changed = run("diff before.json after.json");
  EXPECT_EQ(changed.status, 0) << "it judges nothing";
  EXPECT_THAT(changed.out, HasSubstr("outcome as expected -> missing"));
  other.provenance.seed = 7;
  write("after.json", other);
  expect_refused("diff before.json after.json",
                 "found \"42\" in before.json and \"7\" in after.json");
  expect_refused("diff before.json after.json", "--force");
  const ProgramRun forced = run("diff --force before.json after.json");
  EXPECT_EQ(forced.status, 0);
  EXPECT_THAT(forced.out, HasSubstr("compared all the same\n  seed 42 -> 7\n"));
}

TEST_F(ReportCommand, ShardsAreMergedBeforeAnythingElse) {
  const std::vector<Report> shards = in_shards(2);
  write("a.json", shards[0]);
  write("b.json", shards[1]);
  for (const char* const command : {"gate a.json", "diff a.json a.json",
                                    "diff --force a.json b.json", "render a.json --out out"}) {
    expect_refused(command, "report merge");
  }
  expect_refused("merge a.json --out out.json", "without 2/2");
  EXPECT_FALSE(has("out"));
  EXPECT_FALSE(has("out.json"));
  EXPECT_EQ(run("merge b.json a.json --out all.json").status, 0);
  EXPECT_EQ(run("gate all.json").status, 0);
  EXPECT_FALSE(read_report(folder_ / "all.json").provenance.shard);
}

TEST_F(ReportCommand, GateNamesEachFailureWithItsReplay) {
  Report report = sample_report();
  ClaimRecord& record = report.claims.front();
  record.cases += 1;
  record.undecided += 1;
  record.outcome = Outcome::undecided;
  write("in.json", report);
  const ProgramRun undecided = run("gate in.json");
  EXPECT_EQ(undecided.status, 3);
  EXPECT_THAT(undecided.out, AllOf(HasSubstr(record.id), HasSubstr("replay: properties")));

  report.claims.erase(report.claims.begin() + 1);
  write("in.json", report);
  const ProgramRun missing = run("gate in.json");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.out, HasSubstr("missing"));
  EXPECT_EQ(std::ranges::count(missing.out, '\n'), 2) << missing.out;
}

/// The gate alone says of a search that it went wrong, and of real rows that they cannot tell.
TEST_F(ReportCommand, MakesTheReportWhereAMutantSurvives) {
  for (const Stage stage : {Stage::synthetic, Stage::gpt2}) {
    Report report = sample_report();
    ClaimRecord& record = record_in(report, "corollary3.sharp", stage);
    record.mutants = caught_mutants(record.id);
    record.mutants[0].caught = false;
    record.mutants[0].witness.reset();
    rejudge(record);
    write("in.json", report);
    EXPECT_EQ(run("merge in.json --out merged.json").status, 0);
    EXPECT_EQ(run("render merged.json --out out").status, 0);
    EXPECT_TRUE(has("out/index.html"));

    const bool is_search = stage == Stage::synthetic;
    EXPECT_EQ(run("gate in.json").status, is_search ? 1 : 0);
    const ProgramRun asked = run("gate in.json --caught-on-rows");
    EXPECT_EQ(asked.status, 1);
    EXPECT_THAT(asked.out, AllOf(HasSubstr("mutant corollary3.sharp/half survived 3 cases"),
                                 HasSubstr("replay: properties --claim corollary3.sharp")));
  }
}

TEST_F(ReportCommand, RefusesUnknownFlags) {
  EXPECT_THAT(run("--version").out, testing::StartsWith("report "));
  const std::tuple<const char*, const char*, const char*> refused[] = {
      {"", "", "report --help"},
      {"--nonsense", "", "report --help"},
      {"render", "report", "report render --help"},
      {"diff a", "after", "report diff --help"},
      {"gate a b", "b", "report gate --help"},
      {"gate a --baseline b --baseline c", "--baseline: ", "report gate --help"},
      {"diff a b --force --force", "--force: ", "report diff --help"}};
  for (const auto& [arguments, named, help] : refused) {
    expect_refused(arguments, named);
    expect_refused(arguments, fmt::format("(see {})", help));
  }
  for (const char* const arguments : {"--help", "gate --help", "diff --help", "merge --help"}) {
    EXPECT_EQ(run(arguments).status, 0) << arguments;
  }
}

}  // namespace
}  // namespace attn::report
