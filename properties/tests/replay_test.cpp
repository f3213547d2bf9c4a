// The replay lines of a report, pasted into a shell, make the same records, whatever flags the
// search was given.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "properties/cli/searching.hpp"
#include "properties/search/run.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/tests/flag_names.hpp"
#include "theory/tests/run_program.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Row {
  const char* flag;
  const char* search;     ///< the flags of the search but the one that is tested
  const char* given;      ///< the flag that is tested
  bool changes_the_rest;  ///< what a record says beside the replay is not that without the flag
};

constexpr const char* kOne = "--claim corollary3.step --effort quick";

constexpr Row kRows[] = {
    {"--seed", kOne, "--seed 18446744073709551615", true},
    {"--effort", "--claim theorem2.lower", "--effort quick", true},
    {"--cases", kOne, "--cases 10000", true},
    {"--claim", kOne, "--claim lemma1.upper.sharp", false},
    {"--threads", kOne, "--threads 3", false},
    {"--resume", kOne, "--resume", false},
    {"--out", kOne, "--out elsewhere.json", false},
    {"--verbose", kOne, "--verbose", false},
};

class Replay : public testing::TestWithParam<Row> {
 protected:
  /// What a line prints that is pasted into a shell in a folder of the test's own.
  std::string pasted(const std::string& line) const {
    write_file(folder_ / "pasted", line + "\n");
    const attn::test::ProgramRun run = attn::test::run_in(
        folder_, fmt::format("PATH='{}':$PATH bash pasted",
                             fs::path(ATTN_PROPERTIES_BINARY).parent_path().string()));
    EXPECT_EQ(run.status, 0) << line << "\n" << run.err;
    return run.out;
  }

  /// The records of the claims that were searched.
  [[nodiscard]] std::vector<json> records(const std::string& file) const {
    const json report = json::parse(read_file(folder_ / file));
    std::vector<json> searched;
    for (const json& record : report.at("claims")) {
      if (record.at("outcome") != "missing") searched.push_back(record);
    }
    EXPECT_FALSE(searched.empty());
    return searched;
  }

  attn::test::TemporaryFolder folder_;
};

json without_replays(json record) {
  record.erase("replay");
  for (json& mutant : record.at("mutants")) mutant.erase("replay");
  return record;
}

TEST_P(Replay, MakesTheSameRecords) {
  const Row& row = GetParam();
  const bool elsewhere = std::string_view(row.given).starts_with("--out ");
  pasted(fmt::format("properties {} {}{}", row.search, row.given,
                     elsewhere ? "" : " --out report.json"));
  for (const json& record : records(elsewhere ? "elsewhere.json" : "report.json")) {
    const std::string replay = record.at("replay");
    pasted(replay + " --out again.json");
    EXPECT_EQ(records("again.json"), std::vector{record}) << replay;

    if (!row.changes_the_rest) continue;
    pasted(fmt::format("properties {} --out without.json", row.search));
    EXPECT_NE(without_replays(records("without.json").at(0)), without_replays(record));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Replay, testing::ValuesIn(kRows), [](const auto& tested) {
  std::string name = std::string(tested.param.flag).substr(2);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(ReplayRows, AreThereForEveryFlag) {
  std::set<std::string> rows = {"--shard"};  // only all shards together make records
  for (const Row& row : kRows) rows.insert(row.flag);
  CLI::App app;
  Options options;
  add_options(app, options);
  EXPECT_EQ(rows, attn::test::flag_names(app));
}

}  // namespace

}  // namespace attn::properties
