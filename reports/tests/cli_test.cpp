#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "reports/judge.hpp"
#include "reports/report_json.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/cli/atomic_file.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::report {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

struct Result {
  int status;
  std::string output;  ///< stdout and stderr together
};

/// Runs `report` with arguments that need no quoting.
Result run(const std::string& arguments) {
  const std::string command = std::string(ATTN_REPORT_BINARY) + " " + arguments + " 2>&1";
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
  EXPECT_THAT(read_file(folder_ / "out" / "report.md"), HasSubstr("## False as written"));
  EXPECT_EQ(read_file(folder_ / "out" / "report.json"), read_file(source));
  EXPECT_THAT(result.output, HasSubstr("Read the report: "));
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

TEST_F(ReportCommand, GateSaysNothingOfAReportThatIsAsItShouldBe) {
  const Result result = run("gate " + written(sample_report()));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "");
}

TEST_F(ReportCommand, GateNamesEachFailureWithItsReplay) {
  Report report = sample_report();
  ClaimRecord& record = report.claims.front();
  record.cases += 1;
  record.undecided += 1;
  record.outcome = "undecided";
  const Result undecided = run("gate " + written(report));
  EXPECT_EQ(undecided.status, 3);
  EXPECT_THAT(undecided.output, AllOf(HasSubstr(record.id), HasSubstr("replay: properties")));

  report.claims.erase(report.claims.begin() + 1);
  const Result missing = run("gate " + written(report));
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.output, HasSubstr("missing"));
  EXPECT_EQ(std::count(missing.output.begin(), missing.output.end(), '\n'), 2) << missing.output;
}

TEST_F(ReportCommand, MakesNoReportWhereAMutantSurvives) {
  Report report = sample_report();
  std::vector<std::string> survivors;
  for (ClaimRecord& record : report.claims) {
    if (record.mutants.empty() || survivors.size() == 2) continue;
    record.mutants[0].caught = false;
    survivors.push_back(record.mutants[0].id);
    rejudge(record);
  }
  const std::string source = written(report);
  const std::string commands[] = {"render " + source + " --out " + path("out"),
                                  "merge " + source + " --out " + path("out"), "gate " + source};
  for (const std::string& command : commands) {
    const Result result = run(command);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 2) << result.output;
    for (const std::string& survivor : survivors) {
      EXPECT_THAT(result.output, AllOf(HasSubstr("mutant " + survivor + " survived"),
                                       HasSubstr("replay: properties --mutant " + survivor)));
    }
    EXPECT_FALSE(fs::exists(folder_ / "out")) << command;
  }
}

TEST_F(ReportCommand, MergesStagesAndRefusesOthers) {
  Report search = sample_report(), real = sample_report();
  std::erase_if(search.claims, [](const ClaimRecord& r) { return r.stage != kSynthetic; });
  std::erase_if(real.claims, [](const ClaimRecord& r) { return r.stage == kSynthetic; });
  search.gpt2.reset();
  real.comparisons.clear();
  const std::string a = written(search, "a.json"), b = written(real, "b.json");
  EXPECT_EQ(run("merge " + a + " " + b + " --out " + path("all.json")).status, 0);
  EXPECT_EQ(read_report(folder_ / "all.json").claims.size(), sample_report().claims.size());

  const Result twice = run("merge " + a + " " + a + " --out " + path("none.json"));
  EXPECT_EQ(twice.status, 2);
  EXPECT_FALSE(fs::exists(folder_ / "none.json"));
}

TEST_F(ReportCommand, RefusesUnknownFlags) {
  for (const char* const arguments : {"", "--nonsense", "render", "diff", "gate a b"}) {
    EXPECT_EQ(run(arguments).status, 2) << arguments;
  }
  EXPECT_EQ(run("--help").status, 0);
}

}  // namespace
}  // namespace attn::report
