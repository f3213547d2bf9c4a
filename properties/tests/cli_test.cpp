// The `properties` binary from outside: what it prints, what it writes, how it exits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
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
#include "theory/tests/run_program.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;
using attn::test::ProgramRun;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class CliTest : public testing::Test {
 protected:
  /// `environment`: settings before the command, as a shell reads them.
  [[nodiscard]] ProgramRun properties(const std::string& arguments,
                                      const std::string& environment = "") const {
    return attn::test::run_in(folder_, environment + " " ATTN_PROPERTIES_BINARY " " + arguments);
  }

  /// What a search prints that comes out as expected; its report is report.json.
  std::string search(const std::string& arguments) const {
    const ProgramRun run = properties("--effort quick --out report.json " + arguments);
    EXPECT_EQ(run.status, kAsExpected) << run.err;
    return run.out;
  }

  [[nodiscard]] json report() const { return json::parse(read_file(folder_ / "report.json")); }

  /// The record of corollary3 in it.
  [[nodiscard]] json record() const {
    const json whole = report();
    for (const json& claim : whole.at("claims")) {
      if (claim.at("id") == "corollary3") return claim;
    }
    return {};
  }

  attn::test::TemporaryFolder folder_;
};

TEST_F(CliTest, OneClaimIsSearchedAndRecorded) {
  EXPECT_THAT(search("--claim corollary3 --seed 4"),
              AllOf(HasSubstr("run seed 4, effort quick"), HasSubstr("claims eval -")))
      << "the exact case is printed";
  EXPECT_EQ(report().at("schema"), 1);
  EXPECT_EQ(report().at("provenance").at("seed"), 4);
  const json claim = record();
  EXPECT_EQ(claim.at("stage"), "synthetic");
  EXPECT_EQ(claim.at("outcome"), "as expected");
  EXPECT_GT(claim.at("violated"), 0);
  EXPECT_EQ(claim.at("replay"), "properties --claim corollary3 --seed 4 --effort quick");
  EXPECT_EQ(claim.at("smallest_witness").at("verdict"), "violated");
}

std::uint64_t drawn_cases(const json& record) {
  std::uint64_t sum = 0;
  for (const auto& [family, cases] : record.at("families").items()) {
    if (family != kKeptCases && family != kClimbedCases) sum += cases.get<std::uint64_t>();
  }
  return sum;
}

TEST_F(CliTest, CasesMayBeAskedForByNumber) {
  EXPECT_THAT(search("--claim corollary3 --cases 20000"),
              HasSubstr("effort quick, 20000 cases a claim, 1 claims"));
  EXPECT_EQ(drawn_cases(record()), 20000U);
  EXPECT_EQ(report().at("provenance").at("cases"), 20000);
}

TEST_F(CliTest, TheReportIsAsItsSchemaDescribes) {
  search("--claim corollary3.sharp");
  EXPECT_THAT(report::schema_errors(report()), IsEmpty());
  EXPECT_THAT(report::without(report::fields_of(report()), report::described_fields()), IsEmpty());
}

TEST_F(CliTest, BrokenAssumptionIsOneLineAndNoReport) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer wants to be loaded first";
#endif
  const std::vector<std::pair<std::string, std::string>> breaks = {
      {"rounding", "expected round to nearest"},
#ifdef __SSE2__
      {"subnormal", "expected subnormal numbers"},
#endif
  };
  const std::string of_search = "--claim corollary3.sharp --effort quick --out report.json";
  for (const auto& [name, said] : breaks) {
    SCOPED_TRACE(name);
    const std::string environment = "LD_PRELOAD=" ATTN_BROKEN_ASSUMPTION " ATTN_BREAK=" + name;
    const ProgramRun run = properties(of_search, environment);
    EXPECT_EQ(run.status, kInternal) << run.err;
    EXPECT_THAT(run.err, AllOf(StartsWith("properties: internal error: "), HasSubstr(said)));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(std::ranges::count(run.out, '\n'), 1) << run.out;
    EXPECT_FALSE(fs::exists(folder_ / "report.json"));
  }
  // The library itself breaks nothing.
  EXPECT_EQ(properties(of_search, "LD_PRELOAD=" ATTN_BROKEN_ASSUMPTION).status, kAsExpected);
}

TEST_F(CliTest, WritesOverReportsAlone) {
  const std::string search = "--claim corollary3.sharp --cases 10 --effort quick --out ";
  write_file(folder_ / "notes.txt", "my own");
  const ProgramRun refused = properties(search + "notes.txt");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "properties: notes.txt: expected nothing there, or a report.json to be replaced, found "
            "another file; move it away, or name another\n");
  EXPECT_EQ(read_file(folder_ / "notes.txt"), "my own");
  EXPECT_NE(properties(search + "report.json").status, 2);
  EXPECT_NE(properties(search + "report.json").status, 2) << "again";
}

TEST_F(CliTest, AShardIsItsUnitsOfWork) {
  const std::string printed = search("--shard 7/300 --seed 4");
  const report::Report part = report::read_part(folder_ / "report.json");
  ASSERT_TRUE(part.provenance.shard);
  EXPECT_EQ(part.provenance.shard->index, 7U);
  EXPECT_TRUE(part.claims.empty()) << "nothing is missing from a shard";
  EXPECT_FALSE(part.parts.empty());
  EXPECT_THAT(printed, AllOf(HasSubstr("claims, shard 7/300,"),
                             HasSubstr(fmt::format("{} units of work", part.parts.size()))));
  EXPECT_THAT(report::schema_errors(report()), IsEmpty());
}

TEST_F(CliTest, TheVersionIsThatOfTheReport) {
  search("--shard 1000/1000");
  EXPECT_TRUE(report::read_part(folder_ / "report.json").parts.empty()) << "more shards than units";
  const json provenance = report().at("provenance");
  const ProgramRun run = properties("--version");
  EXPECT_EQ(run.status, kAsExpected);
  for (const char* const field : {"version", "commit", "compiler", "flags"}) {
    EXPECT_THAT(run.out, HasSubstr(provenance.at(field).get<std::string>()));
  }
  for (const auto& [library, version] : provenance.at("libraries").items()) {
    EXPECT_THAT(run.out, HasSubstr(library + " " + version.get<std::string>()));
  }
  EXPECT_EQ(run.out.find("with changes") != std::string::npos, provenance.at("dirty"));
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
      "--cases 1000000001",
      "--out= --verbose",
      "--shard",
      "--shard 2 --out x.json",
      "--shard 1/3",
      "--claim corollary3 --effort quick --out .",
      "--claim corollary3 --effort quick --out ''",
      "--shard 0/3 --out x.json",
      "--shard 1/1001 --out x.json",
      "--shard 1/3 --claim corollary3 --out x.json",
      "--claim corollary3 --effort quick --resume",
      "--claim corollary3 --effort quick --out /nowhere/at/all.json"};
  for (const char* const arguments : kRefused) {
    const ProgramRun run = properties(arguments);
    EXPECT_EQ(run.status, kBadInput) << arguments << ": " << run.err;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

}  // namespace

}  // namespace attn::properties
