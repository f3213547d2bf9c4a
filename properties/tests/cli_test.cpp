// The `properties` binary from outside: what it prints, what it writes, how it exits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "properties/search/regressions.hpp"
#include "properties/search/search.hpp"
#include "reports/io/report_json.hpp"
#include "reports/tests/schema.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string output;  ///< stdout and stderr
};

/// `environment`: settings before the command, as a shell reads them.
Outcome properties(const std::string& arguments, const std::string& environment = "") {
  const std::string command = environment + " " ATTN_PROPERTIES_BINARY " " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "the binary could not be started"};
  std::string output;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.append(buffer, n);
  return {WEXITSTATUS(pclose(pipe)), output};
}

class CliTest : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

/// The record of corollary3 in a report of a search.
nlohmann::json record_in(const fs::path& file) {
  const auto report = nlohmann::json::parse(read_file(file));
  for (const auto& claim : report.at("claims")) {
    if (claim.at("id") == "corollary3") return claim;
  }
  return {};
}

TEST_F(CliTest, OneClaimIsSearchedAndRecorded) {
  const fs::path out = folder_ / "report.json";
  const Outcome run =
      properties("--claim corollary3 --effort quick --seed 4 --out " + out.string());
  EXPECT_EQ(run.code, kAsExpected) << run.output;
  EXPECT_NE(run.output.find("run seed 4, effort quick"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("claims eval -"), std::string::npos) << "the exact case is printed";
  const auto report = nlohmann::json::parse(read_file(out));
  EXPECT_EQ(report.at("schema"), 1);
  EXPECT_EQ(report.at("provenance").at("seed"), 4);
  const nlohmann::json claim = record_in(out);
  EXPECT_EQ(claim.at("stage"), "synthetic");
  EXPECT_EQ(claim.at("outcome"), "as expected");
  EXPECT_GT(claim.at("violated"), 0);
  EXPECT_EQ(claim.at("replay"), "properties --claim corollary3 --seed 4 --effort quick");
  EXPECT_EQ(claim.at("smallest_witness").at("verdict"), "violated");
}

std::uint64_t drawn_cases(const nlohmann::json& record) {
  std::uint64_t sum = 0;
  for (const auto& [family, cases] : record.at("families").items()) {
    if (family != kKeptCases && family != kClimbedCases) sum += cases.get<std::uint64_t>();
  }
  return sum;
}

class BudgetTest : public CliTest {
 protected:
  /// The record of corollary3 in a search of a budget.
  nlohmann::json searched(const std::string& budget, const std::string& in_words) {
    const fs::path out = folder_ / "report.json";
    const Outcome run =
        properties("--claim corollary3 --effort quick " + budget + " --out " + out.string());
    EXPECT_EQ(run.code, kAsExpected) << run.output;
    EXPECT_NE(run.output.find("effort quick, " + in_words + ", 1 claims"), std::string::npos);
    return record_in(out);
  }
};

TEST_F(BudgetTest, CasesMayBeAskedForByNumber) {
  const nlohmann::json record = searched("--cases 20000", "20000 cases a claim");
  EXPECT_EQ(drawn_cases(record), 20000U);
  EXPECT_EQ(record.at("batches"), 2);  // of 16,000
  const auto report = nlohmann::json::parse(read_file(folder_ / "report.json"));
  EXPECT_EQ(report.at("provenance").at("cases"), 20000);
}

TEST_F(CliTest, TheReportIsAsItsSchemaDescribes) {
  const fs::path out = folder_ / "report.json";
  const Outcome run = properties("--claim corollary3.sharp --effort quick --out " + out.string());
  EXPECT_EQ(run.code, kAsExpected) << run.output;
  const auto document = nlohmann::json::parse(read_file(out));
  EXPECT_EQ(report::schema_errors(document), std::vector<std::string>{});
  EXPECT_EQ(report::without(report::fields_of(document), report::described_fields()),
            std::set<std::string>{});
}

TEST_F(CliTest, BrokenGroundIsOneLineAndNoReport) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer wants to be loaded first";
#endif
  const std::vector<std::pair<std::string, std::string>> breaks = {
      {"rounding", "expected round to nearest"},
#ifdef __SSE2__
      {"subnormal", "expected subnormal numbers"},
#endif
  };
  const fs::path out = folder_ / "report.json";
  const std::string search = "--claim corollary3.sharp --effort quick --out " + out.string();
  for (const auto& [name, said] : breaks) {
    SCOPED_TRACE(name);
    const std::string environment = "LD_PRELOAD=" ATTN_BROKEN_GROUND " ATTN_BREAK=" + name;
    for (const std::string& arguments :
         {search, std::string("--mutant corollary3.sharp/quarter")}) {
      const Outcome run = properties(arguments, environment);
      EXPECT_EQ(run.code, kInternal) << run.output;
      const std::size_t complaint = run.output.find("properties: internal error: ");
      ASSERT_NE(complaint, std::string::npos) << run.output;
      EXPECT_NE(run.output.find(said, complaint), std::string::npos) << run.output;
      const auto lines = std::ranges::count(run.output, '\n');
      EXPECT_EQ(lines, arguments == search ? 2 : 1) << "beside the first line of a search";
    }
    EXPECT_FALSE(fs::exists(out));
  }
  // The library itself breaks nothing.
  EXPECT_EQ(properties(search, "LD_PRELOAD=" ATTN_BROKEN_GROUND).code, kAsExpected);
}

TEST_F(CliTest, AShardIsItsUnitsOfWork) {
  const fs::path out = folder_ / "part.json";
  const Outcome run = properties("--shard 7/300 --effort quick --seed 4 --out " + out.string());
  EXPECT_EQ(run.code, kAsExpected) << run.output;
  EXPECT_NE(run.output.find("claims, shard 7/300,"), std::string::npos) << run.output;
  const report::Report part = report::read_part(out);
  ASSERT_TRUE(part.provenance.shard);
  EXPECT_EQ(part.provenance.shard->index, 7U);
  EXPECT_TRUE(part.claims.empty()) << "nothing is missing from a shard";
  EXPECT_FALSE(part.parts.empty());
  EXPECT_NE(run.output.find(fmt::format("{} units of work", part.parts.size())), std::string::npos);
  EXPECT_EQ(report::schema_errors(nlohmann::json::parse(read_file(out))),
            std::vector<std::string>());
}

TEST_F(CliTest, TheVersionIsThatOfTheReport) {
  const fs::path out = folder_ / "report.json";
  ASSERT_EQ(properties("--shard 1000/1000 --effort quick --out " + out.string()).code, kAsExpected);
  EXPECT_TRUE(report::read_part(out).parts.empty()) << "more shards than units";
  const auto provenance = nlohmann::json::parse(read_file(out)).at("provenance");
  const Outcome run = properties("--version");
  EXPECT_EQ(run.code, kAsExpected);
  for (const char* const field : {"version", "commit", "compiler", "flags"}) {
    EXPECT_NE(run.output.find(provenance.at(field)), std::string::npos) << run.output;
  }
  for (const auto& [library, version] : provenance.at("libraries").items()) {
    EXPECT_NE(run.output.find(library + " " + version.get<std::string>()), std::string::npos)
        << run.output;
  }
  EXPECT_EQ(run.output.find("with changes") != std::string::npos, provenance.at("dirty"));
}

TEST_F(CliTest, BadUsageIsOneLineAndExitCodeTwo) {
  constexpr const char* kRefused[] = {
      "--claim corollary9",
      "--claim corollary3 --claim none",
      "--effort slow",
      "--threads 0",
      "--seed -1",
      "--unknown",
      "--cases 0",
      "--cases -3",
      "--cases many",
      "--cases 5 --mutant x",
      "--mutant corollary3.sharp/none",
      "--mutant none",
      "--shard",
      "--shard 2 --out x.json",
      "--shard 1/3",
      "--claim corollary3 --effort quick --out .",
      "--claim corollary3 --effort quick --out ''",
      "--shard 0/3 --out x.json",
      "--shard 1/1001 --out x.json",
      "--shard 1/3 --claim corollary3 --out x.json",
      "--shard 1/3 --mutant corollary3.sharp/quarter --out x.json",
      "--claim corollary3 --effort quick --resume",
      "--claim corollary3 --effort quick --out /nowhere/at/all.json"};
  for (const char* const arguments : kRefused) {
    const Outcome run = properties(arguments);
    EXPECT_EQ(run.code, kBadInput) << arguments << ": " << run.output;
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
  }
}

}  // namespace

}  // namespace attn::properties
