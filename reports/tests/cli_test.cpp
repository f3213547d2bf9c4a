#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::report {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Result {
  int status;
  std::string output;  ///< stdout, and stderr where it is not left out
};

/// Runs `report` with arguments as a shell reads them. Stderr joins stdout, or goes to `log`.
Result run(const std::string& arguments, const std::string& log = "&1") {
  const std::string command = std::string(ATTN_REPORT_BINARY) + " " + arguments + " 2>" + log;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot start " + command};
  std::string output;
  char buffer[4096];
  for (std::size_t read = 0; (read = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    output.append(buffer, read);
  }
  return {WEXITSTATUS(::pclose(pipe)), output};
}

class ReportCommand : public testing::Test {
 protected:
  std::string written(const Report& report, const std::string& name = "in.json") {
    write_report(folder_ / name, report);
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  test::TemporaryFolder folder_;
};

TEST_F(ReportCommand, RendersAFolder) {
  const std::string source = written(sample_report());
  const Result result = run("render " + source + " --out " + path("out"));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(read_file(folder_ / "out" / "index.html"), HasSubstr("</html>"));
  EXPECT_THAT(read_file(folder_ / "out" / "report.md"), HasSubstr("## The answer"));
  EXPECT_EQ(read_file(folder_ / "out" / "report.json"), read_file(source));
  EXPECT_THAT(result.output, AllOf(HasSubstr("Read the report: "), Not(HasSubstr("\033"))));
}

TEST_F(ReportCommand, RendersBesideItsReport) {
  const std::string source = written(sample_report(), "report.json");
  const std::string before = read_file(source);
  EXPECT_EQ(run("render " + source + " --out " + folder_.path().string()).status, 0);
  EXPECT_EQ(read_file(source), before);
  EXPECT_TRUE(fs::exists(folder_ / "index.html"));
}

TEST_F(ReportCommand, WritesNothingFromABrokenReport) {
  const std::string whole = report_text(sample_report());
  const std::pair<std::string, std::string> broken[] = {
      {"empty", ""},
      {"no object", "[]"},
      {"no record", R"({"schema": 1})"},
      {"cut off", whole.substr(0, whole.size() / 2)},
  };
  for (const auto& [name, content] : broken) {
    write_file(folder_ / "broken.json", content);
    const Result result = run("render " + path("broken.json") + " --out " + path("out"));
    EXPECT_EQ(result.status, 2) << name;
    EXPECT_THAT(result.output, HasSubstr("broken.json")) << name;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    EXPECT_FALSE(fs::exists(folder_ / "out")) << name;
  }
}

TEST_F(ReportCommand, GateSaysNothingOnStdoutOfAReportThatIsAsItShouldBe) {
  const std::string source = written(sample_report());
  const Result quiet = run("gate " + source, "/dev/null");
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.output, "");
  const Result result = run("gate " + source + " --baseline " + source +
                            " --max-undecided 3 --require corollary3=as-expected --require "
                            "lemma1.lower@gpt2=as-expected --tightness 'theorem1.fixed<=1'");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output,
            fmt::format("report gate: passed with {} claims in {} records: every outcome as "
                        "expected but for 3 undecided cases (0 are), --require "
                        "corollary3=as-expected lemma1.lower@gpt2=as-expected, --tightness "
                        "theorem1.fixed<=1, nothing worse than in {}\n",
                        catalogue().size(), sample_report().claims.size(), source));
}

TEST_F(ReportCommand, ReadsStandardInput) {
  const std::string source = written(sample_report());
  EXPECT_EQ(run("gate - < " + source).status, 0);
  const Result broken = run("gate - < /dev/null");
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.output, testing::StartsWith("report: standard input: expected a report.json"));
  EXPECT_EQ(run("render - --out " + path("out") + " < " + source).status, 0);
  EXPECT_EQ(read_file(folder_ / "out" / "report.json"), read_file(source));
}

TEST_F(ReportCommand, GateHoldsAReportAgainstItsConditions) {
  Report report = sample_report();
  const std::string baseline = written(report, "baseline.json");
  const std::string reduced = path("reduced.json");
  write_file(reduced, run("baseline " + baseline).output);
  ClaimRecord& record = report.claims.front();
  record.cases += 2;
  record.undecided += 2;
  rejudge(record);
  const std::string gate = "gate " + written(report);
  const std::pair<std::string, int> codes[] = {
      {"", 3},
      {" --max-undecided 2", 0},
      {" --max-undecided 1", 3},
      {" --max-undecided 2 --require corollary3=undecided", 1},
      {" --max-undecided 2 --tightness 'corollary3<=1'", 1},
      {" --max-undecided 2 --tightness 'corollary3@gpt2<=2'", 0},
      {" --max-undecided 2 --baseline " + baseline, 0},
      {" --baseline " + baseline, 1},
      {" --baseline " + reduced, 1},
      {" --max-undecided 2 --baseline " + reduced, 0},
  };
  for (const auto& [conditions, code] : codes) {
    const Result result = run(gate + conditions, "/dev/null");
    EXPECT_EQ(result.status, code) << conditions << "\n" << result.output;
    EXPECT_EQ(result.output.empty(), code == 0) << conditions;
  }
}

TEST_F(ReportCommand, GateRefusesWhatItCannotJudge) {
  const std::string source = written(sample_report());
  Report other = sample_report();
  other.provenance.seed = 7;
  const std::pair<std::string, const char*> refused[] = {
      {"--max-undecided -1", "max-undecided"},
      {"--max-undecided x", "max-undecided"},
      {"--require corollary3", "--require"},
      {"--require corollary33=as-expected", "found 'corollary33'"},
      {"--require corollary3@nowhere=as-expected", "synthetic, gpt2, activations"},
      {"--require corollary3=good", "expected an outcome"},
      {"--tightness 'corollary3<=x'", "finite number"},
      {"--baseline " + path("none.json"), "none.json"},
      {"--baseline " + written(other, "other.json"),
       "seed: expected the same in both reports, found \"7\" in the baseline and \"42\" in the "
       "report"},
  };
  for (const auto& [condition, message] : refused) {
    const Result result = run("gate " + source + " " + condition);
    EXPECT_EQ(result.status, 2) << condition;
    EXPECT_THAT(result.output, HasSubstr(message));
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
}

TEST_F(ReportCommand, DiffTellsWhatChangedAndRefusesDifferentRunsUnlessForced) {
  Report other = sample_report();
  const std::string before = written(other, "before.json");
  other.claims.erase(other.claims.begin());
  const Result changed = run("diff " + before + " " + written(other, "after.json"));
  EXPECT_EQ(changed.status, 0) << "it judges nothing";
  EXPECT_THAT(changed.output, HasSubstr("outcome as expected -> missing"));
  other.provenance.seed = 7;
  const std::string after = written(other, "after.json");
  const Result refused = run("diff " + before + " " + after);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output,
              AllOf(HasSubstr("found \"42\" in " + before + " and \"7\" in " + after),
                    HasSubstr("--force")));
  EXPECT_EQ(std::count(refused.output.begin(), refused.output.end(), '\n'), 1) << refused.output;
  const Result forced = run("diff --force " + before + " " + after);
  EXPECT_EQ(forced.status, 0);
  EXPECT_THAT(forced.output, HasSubstr("compared all the same\n  seed 42 -> 7\n"));
}

/// The search of the sample, cut in two.
std::pair<Report, Report> two_shards() {
  Report first = sample_report();
  std::erase_if(first.claims, [](const ClaimRecord& r) { return r.stage != Stage::synthetic; });
  first.inputs.clear();
  first.provenance.shard = Shard{1, 2};
  Report second = first;
  second.provenance.shard = Shard{2, 2};
  const auto middle = static_cast<std::ptrdiff_t>(first.claims.size() / 2);
  first.claims.erase(first.claims.begin() + middle, first.claims.end());
  second.claims.erase(second.claims.begin(), second.claims.begin() + middle);
  second.comparisons.clear();
  return {first, second};
}

TEST_F(ReportCommand, ShardsAreMergedBeforeAnythingElse) {
  const auto [first, second] = two_shards();
  const std::string a = written(first, "a.json"), b = written(second, "b.json");
  for (const std::string& command :
       {"gate " + a, "diff " + a + " " + a, "diff --force " + a + " " + b,
        "render " + a + " --out " + path("out"), "merge " + a + " --out " + path("out.json")}) {
    const Result result = run(command);
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    EXPECT_THAT(result.output,
                HasSubstr(command.starts_with("merge") ? "without 2/2" : "report merge"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "out.json"));
  EXPECT_EQ(run("merge " + b + " " + a + " --out " + path("all.json")).status, 0);
  EXPECT_EQ(run("gate " + path("all.json")).status, 0);
  EXPECT_FALSE(read_report(folder_ / "all.json").provenance.shard);
}

TEST_F(ReportCommand, GateNamesEachFailureWithItsReplay) {
  Report report = sample_report();
  ClaimRecord& record = report.claims.front();
  record.cases += 1;
  record.undecided += 1;
  record.outcome = Outcome::undecided;
  const Result undecided = run("gate " + written(report));
  EXPECT_EQ(undecided.status, 3);
  EXPECT_THAT(undecided.output, AllOf(HasSubstr(record.id), HasSubstr("replay: properties")));

  report.claims.erase(report.claims.begin() + 1);
  const Result missing = run("gate " + written(report));
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.output, HasSubstr("missing"));
  EXPECT_EQ(std::count(missing.output.begin(), missing.output.end(), '\n'), 2) << missing.output;
}

/// Of a search the gate alone says that it went wrong, of real rows that they cannot tell.
TEST_F(ReportCommand, MakesTheReportWhereAMutantSurvives) {
  for (const Stage stage : {Stage::synthetic, Stage::gpt2}) {
    Report report = sample_report();
    ClaimRecord& record = record_in(report, "corollary3.sharp", stage);
    record.mutants = caught_mutants(record.id);
    record.mutants[0].caught = false;
    record.mutants[0].witness.reset();
    rejudge(record);
    const std::string source = written(report);
    EXPECT_EQ(run("merge " + source + " --out " + path("merged.json")).status, 0);
    EXPECT_EQ(run("render " + path("merged.json") + " --out " + path("out")).status, 0);
    EXPECT_TRUE(fs::exists(folder_ / "out" / "index.html"));

    const bool is_search = stage == Stage::synthetic;
    EXPECT_EQ(run("gate " + source).status, is_search ? 1 : 0);
    const Result asked = run("gate " + source + " --caught-on-rows");
    EXPECT_EQ(asked.status, 1);
    EXPECT_THAT(asked.output,
                AllOf(HasSubstr("mutant corollary3.sharp/half survived 3 cases"),
                      HasSubstr("replay: properties --mutant corollary3.sharp/half")));
  }
}

TEST_F(ReportCommand, SaysItsVersion) {
  const Result result = run("--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, AllOf(testing::StartsWith("report "), HasSubstr("\ncommit: "),
                                   HasSubstr("\ncompiler: "), HasSubstr("\nlibraries: ")));
}

TEST_F(ReportCommand, RefusesUnknownFlags) {
  const std::tuple<const char*, const char*, const char*> refused[] = {
      {"", "", "report --help"},
      {"--nonsense", "", "report --help"},
      {"render", "report", "report render --help"},
      {"diff a", "after", "report diff --help"},
      {"gate a b", "b", "report gate --help"},
      {"gate a --baseline b --baseline c", "--baseline: ", "report gate --help"},
      {"diff a b --force --force", "--force: ", "report diff --help"}};
  for (const auto& [arguments, named, help] : refused) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_THAT(result.output, AllOf(HasSubstr(named), HasSubstr(fmt::format("(see {})", help))));
  }
  for (const char* const arguments : {"--help", "gate --help", "diff --help", "merge --help"}) {
    EXPECT_EQ(run(arguments).status, 0) << arguments;
  }
}

}  // namespace
}  // namespace attn::report
