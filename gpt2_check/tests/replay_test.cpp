// The replay line of a report, pasted into a shell, makes the same report, whatever flags were
// given.
#include <fmt/format.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "gpt2_check/cli/flags.hpp"
#include "gpt2_check/tests/support.hpp"
#include "theory/tests/flag_names.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kPlain = "--model tiny --tokens 3,1,4,1,5,9,2,6,5,3,5,8 ";

struct Row {
  const char* flag;
  const char* input;      ///< of the run
  const char* given;      ///< beside it; with --out where that is not `report`
  bool changes_the_rest;  ///< what the report says beside the replay is not that of the input alone
};

constexpr Row kRows[] = {
    {"--model", kPlain, "", false},
    {"--tokens", kPlain, "", false},
    {"--text", R"(--model tiny --text 'of sorts/../it'\''s a text.txt')", "", false},
    {"--activations", "--activations ./rows.safetensors", "", false},
    {"--precision", kPlain, "--precision f64", true},
    {"--device", kPlain, "--device cpu", false},
    {"--lengths", kPlain, "--lengths 8,4", true},
    {"--top-n", kPlain, "--top-n 2,1", true},
    {"--temperatures", kPlain, "--temperatures 4,0.5", true},
    {"--rows", kPlain, "--rows stride:3", true},
    {"--embedding", kPlain, "--embedding hidden", true},
    {"--rank", kPlain, "--rank contribution", true},
    {"--seed", kPlain, "--seed 18446744073709551615", true},
    {"--threads", kPlain, "--threads 3", false},
    {"--out", kPlain, "--out elsewhere", false},
};

/// A report, but for when and on how many threads it was made.
json lasting(const fs::path& file) {
  json report = json::parse(test::read_bytes(file));
  for (const char* const field : {"started", "seconds", "threads"}) {
    EXPECT_EQ(report.at("provenance").erase(field), 1U) << field;
  }
  return report;
}

json without_replays(json report) {
  for (json& record : report.at("claims")) {
    record.erase("replay");
    for (json& mutant : record.at("mutants")) mutant.erase("replay");
  }
  return report;
}

/// The replay that every record has.
std::string replay_of(const json& report) {
  std::set<std::string> replays;
  for (const json& record : report.at("claims")) replays.insert(record.at("replay"));
  EXPECT_EQ(replays.size(), 1U);
  return *replays.begin();
}

class Replay : public test::WithFolder, public ::testing::WithParamInterface<Row> {
 protected:
  void SetUp() override {
    WithFolder::SetUp();
    fs::create_directory(folder / "of sorts");
    write("it's a text.txt", "To be, or not to be, that is the question.");
  }

  /// The exit code of a line that is pasted into a shell in `folder`.
  [[nodiscard]] int pasted(const std::string& line) const {
    const fs::path script = write("pasted", line + "\n");
    const int status = std::system(
        fmt::format("cd '{0}' && PATH='{1}':$PATH bash '{2}' >'{0}/log' 2>&1", folder.string(),
                    fs::path(ATTN_GPT2_CHECK).parent_path().string(), script.string())
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] std::string log() const { return test::read_bytes(folder / "log"); }
};

TEST_P(Replay, MakesTheSameReport) {
  const Row& row = GetParam();
  ASSERT_EQ(pasted(fmt::format("gpt2_check activations {} --out rows.safetensors", kPlain)), 0)
      << log();
  const bool elsewhere = std::string_view(row.given).starts_with("--out ");
  const int code = pasted(fmt::format("gpt2_check run {} {}{}", row.input, row.given,
                                      elsewhere ? "" : " --out report"));
  ASSERT_THAT(code, ::testing::AnyOf(0, 3)) << log();
  const json report = lasting(folder / (elsewhere ? "elsewhere" : "report") / "report.json");
  const std::string replay = replay_of(report);

  EXPECT_EQ(pasted(replay), code) << replay << "\n" << log();
  EXPECT_EQ(json::diff(report, lasting(folder / "DIR" / "report.json")), json::array()) << replay;

  ASSERT_EQ(pasted(fmt::format("gpt2_check run {} --out plain", row.input)), code) << log();
  const json plain = lasting(folder / "plain" / "report.json");
  EXPECT_EQ(without_replays(plain) != without_replays(report), row.changes_the_rest);
}

INSTANTIATE_TEST_SUITE_P(EveryFlag, Replay, ::testing::ValuesIn(kRows), [](const auto& tested) {
  std::string name = std::string(tested.param.flag).substr(2);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(ReplayRows, AreThereForEveryFlag) {
  CLI::App app;
  RunFlags flags;
  std::set<std::string> rows;
  for (const Row& row : kRows) rows.insert(row.flag);
  EXPECT_EQ(rows, test::flag_names(*add_run(app, flags)));
}

}  // namespace
}  // namespace attn::gpt2
