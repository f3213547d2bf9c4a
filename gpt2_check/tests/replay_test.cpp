// The replay line of a report, pasted into a shell, makes the same report, whatever flags were
// given.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/cli/flags.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/program_run.hpp"
#include "gpt2_check/tests/support.hpp"
#include "theory/tests/flag_names.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kPlain = "--model small --tokens 3,1,4,1,5,9 ";

/// As many tokens as the model reads.
constexpr const char* kWindow =
    "--model small --tokens 3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3 --lengths 8,16 --top-n 1 --rows last ";

struct Row {
  const char* flag;
  const char* input;      ///< the flags of the input of the run
  const char* given;      ///< the flag beside the input; with --out where that is not `report`
  bool changes_the_rest;  ///< what the report says beside the replay is not that of the input alone
};

constexpr Row kRows[] = {
    {"--model", kPlain, "", false},
    {"--tokens", kPlain, "", false},
    {"--text", R"(--model tiny --text 'of sorts/../it'\''s a text.txt')", "", false},
    {"--plain-text", "--model tiny --text marked.txt ", "--plain-text", true},
    {"--activations", "--activations ./rows.safetensors", "", false},
    {"--precision", kPlain, "--precision f64", true},
    {"--device", kPlain, "--device cpu", false},
    {"--experiment", kPlain, "--experiment set-size", true},
    {"--lengths", kPlain, "--lengths 6,3", true},
    {"--top-n", kPlain, "--top-n 2,1", true},
    {"--temperatures", kPlain, "--temperatures 4,0.5", true},
    {"--rows", kPlain, "--rows stride:3", true},
    {"--seed", kPlain, "--seed 18446744073709551615", true},
    {"--threads", kPlain, "--threads 3", false},
    {"--out", kPlain, "--out elsewhere", false},
    {"--verbose", kPlain, "--verbose", false},
    {"--windows", kWindow, "--windows 1", true},
    {"--resume", kWindow, "--windows 1 --resume", true},
};

/// A report, but for when and on how many threads it was made.
json lasting(const fs::path& file) {
  json report = json::parse(read_file(file));
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

/// What a run came to.
struct Made {
  int code{};
  json report;  ///< the report, but for what differs between two runs
};

/// The tests of the suite share a folder, and a run that several of them need.
class Replay : public ::testing::TestWithParam<Row> {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TemporaryFolder>();
    fs::create_directory(*folder_ / "of sorts");
    write_file(*folder_ / "it's a text.txt", "To be, or not to be, that is the question.");
    write_file(*folder_ / "marked.txt", "To be,<|endoftext|>or not to be.");
    write_file(*folder_ / "small.json", to_json_text(test::small_config()));
    for (const std::string& line :
         {std::string("gpt2_check init --config small.json --seed 1 --out small"),
          fmt::format("gpt2_check activations {} --out rows.safetensors", kPlain)}) {
      const test::ProgramRun run = test::run_here(folder_->path(), line);
      ASSERT_EQ(run.status, 0) << run.err;
    }
  }
  static void TearDownTestSuite() {
    made_.clear();
    folder_.reset();
  }

  /// A line that is pasted into a shell in the folder, where it has what a shell must be trusted to
  /// read; otherwise within this process.
  static test::ProgramRun pasted(const std::string& line) {
    if (line.find('\\') == std::string::npos) return test::run_here(folder_->path(), line);
    write_file(*folder_ / "pasted", line + "\n");
    return test::run_in(*folder_, fmt::format("PATH='{}':$PATH bash pasted",
                                              fs::path(ATTN_GPT2_CHECK).parent_path().string()));
  }

  /// What a line makes that writes its report to `out`; a line that was run before is not run
  /// again.
  static const Made& made(const std::string& line, const char* out = "report") {
    const auto [found, is_new] = made_.try_emplace(line);
    if (is_new) {
      fs::remove_all(*folder_ / out);
      const test::ProgramRun run = pasted(line);
      EXPECT_THAT(run.status, ::testing::AnyOf(0, 3)) << line << "\n" << run.err;
      found->second.code = run.status;
      found->second.report = lasting(*folder_ / out / "report.json");
    }
    return found->second;
  }

 private:
  static inline std::unique_ptr<test::TemporaryFolder> folder_;
  static inline std::map<std::string, Made> made_;
};

TEST_P(Replay, MakesTheSameReport) {
  const Row& row = GetParam();
  const bool elsewhere = std::string_view(row.given).starts_with("--out ");
  const std::string plain = fmt::format("gpt2_check run {}", row.input);
  const Made& run = elsewhere ? made(plain + row.given, "elsewhere")
                              : made(fmt::format("{}{} --out report", plain, row.given));
  const std::string replay = replay_of(run.report);

  const Made& again = made(replay, "DIR");
  EXPECT_EQ(again.code, run.code) << replay;
  EXPECT_EQ(json::diff(run.report, again.report), json::array()) << replay;

  EXPECT_EQ(without_replays(made(plain + " --out report").report) != without_replays(run.report),
            row.changes_the_rest);
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
  rows.insert("--shard");  // has claims to replay only once it is merged
  EXPECT_EQ(rows, test::flag_names(add_run(app, flags)));
}

}  // namespace
}  // namespace attn::gpt2
