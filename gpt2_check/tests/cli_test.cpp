// Runs the program as a user does: exit codes, one line on stderr, nothing written.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/program_run.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "reports/io/merge.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/schema.hpp"
#include "theory/base/tests/kept_refusals.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

using Outcome = test::ProgramRun;

Config byte_config() {
  Config config = test::small_config();
  config.vocabulary = 256;
  return config;
}

class CommandLine : public test::WithFolder {
 protected:
  /// A folder with a model that reads bytes, and the streams of the commands outside it.
  void SetUp() override {
    work = folder / "work";
    fs::create_directory(work);
    fs::create_directory(work / "model");
    save_checkpoint(work / "model", byte_config(), test::lively_weights(byte_config()));
    json vocabulary;
    for (const std::string& symbol : byte_symbols()) vocabulary[symbol] = vocabulary.size();
    write("work/model/vocab.json", vocabulary.dump());
    write("work/model/merges.txt", "#version: 0.2\n");
    write("work/text.txt", "To be.");
  }

  [[nodiscard]] Outcome run(const std::string& arguments) const {
    return test::run_here(work, "gpt2_check " + arguments);
  }

  /// The program itself, called by a shell.
  [[nodiscard]] Outcome call(const std::string& arguments) const {
    return outcome_of(fmt::format("'{}' </dev/null {}", ATTN_GPT2_CHECK, arguments));
  }

  /// What a command in the folder comes to.
  [[nodiscard]] Outcome outcome_of(const std::string& command) const {
    return test::run_in(streams, fmt::format("cd '{}' && {}", work.string(), command));
  }

  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(work)) {
      names.insert(entry.path().lexically_relative(work).string());
    }
    return names;
  }

  /// The report that a run wrote.
  [[nodiscard]] json document_of(const fs::path& out) const {
    return json::parse(read_file(work / out / "report.json"));
  }

  void expect_success(const std::string& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, "") << arguments;
  }

  void expect_refused(const std::string& arguments, const std::string& message) const {
    expect_refusal([&] { return run(arguments); }, arguments, message);
  }

  /// Exit 2, one line on stderr that holds `message`, no output, no file.
  void expect_refusal(const std::function<Outcome()>& run, const std::string& arguments,
                      const std::string& message) const {
    const auto before = files();
    const Outcome outcome = run();
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err,
                AllOf(MatchesRegex("gpt2_check: [^\n]+\n"), HasSubstr(message), test::IsKept()))
        << arguments;
    EXPECT_EQ(files(), before) << arguments;
  }

  test::TemporaryFolder streams;  ///< where the output of the commands goes
  fs::path work;
};

TEST_F(CommandLine, TokenizesAFile) {
  const Outcome outcome = call("tokenize --model model text.txt");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out), json({84, 111, 32, 98, 101, 46}));
  EXPECT_EQ(call("tokenize --model model - <text.txt").out, outcome.out);
  EXPECT_EQ(call("tokenize --model model -").out, "[]\n");
}

TEST_F(CommandLine, ReadsAddedTokensUnlessATextIsPlain) {
  write("work/model/added_tokens.json", R"({"<pad>": 256})");
  write("work/marked.txt", "a<pad>");
  EXPECT_EQ(run("tokenize --model model marked.txt").out, "[97,256]\n");
  EXPECT_EQ(run("tokenize --model model --plain-text marked.txt").out, "[97,60,112,97,100,62]\n");
  expect_refused("activations --model model --text marked.txt --out a.safetensors",
                 "token id at position 1");
  expect_success("activations --model model --text marked.txt --plain-text --out a.safetensors");
}

TEST_F(CommandLine, ReadsTextAsItsTokens) {
  expect_success("activations --model model --text text.txt --out text.safetensors");
  expect_success(
      "activations --model model --tokens '[84,111,32,98,101,46]' --out ids.safetensors");
  EXPECT_EQ(read_file(work / "text.safetensors"), read_file(work / "ids.safetensors"));
}

TEST_F(CommandLine, RecordsOverRecordingsAlone) {
  const std::string record = "activations --model model --tokens 1,2 --out ";
  write("work/notes.txt", "my own");
  expect_refused(record + "notes.txt",
                 "notes.txt: expected nothing there, or activations that this program recorded to "
                 "be replaced, found another file");
  // Tensors of another origin, as of a checkpoint that is not the one that is read.
  safetensors::write(work / "other.safetensors", {{"x", at::ones({1})}}, {{"model", "mine"}});
  expect_refused(record + "other.safetensors", "other.safetensors: expected nothing there, or ");
  EXPECT_EQ(read_file(work / "notes.txt"), "my own");
  EXPECT_EQ(run(record + "a.safetensors").status, 0);
  EXPECT_EQ(run(record + "a.safetensors").status, 0) << "again";
  fs::create_directory(work / "r");
  write("work/r/index.html", "my own");
  expect_refused("run --model model --tokens 1,2 --out r", "r/index.html: expected nothing there");
}

TEST_F(CommandLine, CutsALongTextAndSaysSo) {
  write("work/long.txt", std::string(40, 'x'));
  const Outcome outcome = run("activations --model model --text long.txt --out a.safetensors");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "long.txt: the text has 40 tokens; the model reads the first 16\n");
  EXPECT_EQ(safetensors::File(work / "a.safetensors").entry("tokens").shape.front(), 16);
}

TEST_F(CommandLine, InitialisesACheckpointThatItReads) {
  write("work/shape.json", to_json_text(test::small_config()));
  expect_success("init --config shape.json --seed 7 --out random");
  EXPECT_EQ(to_json_text(load_checkpoint(work / "random", at::kFloat).config),
            to_json_text(test::small_config()));
  expect_success("activations --model random --tokens 1,2,3 --out a.safetensors");
  const at::Tensor logits = forward(test::small_config(), random_weights(test::small_config(), 7),
                                    at::tensor({1, 2, 3}, at::kLong));
  const safetensors::File file(work / "a.safetensors");
  EXPECT_LE((file.read("logits") - logits).abs().max().item<double>(), 1e-6);

  expect_success("init --config shape.json --seed 7 --out again");
  EXPECT_EQ(read_file(work / "again" / "model.safetensors"),
            read_file(work / "random" / "model.safetensors"));
}

// In both directions: every field that is written is described, and every field of the real-input
// block that is described is written.
TEST_F(CommandLine, WritesTheReportThatTheSchemaDescribes) {
  Config config = byte_config();
  config.positions = 80;  // of few heads
  fs::copy(work / "model", work / "wide");
  save_checkpoint(work / "wide", config, test::lively_weights(config));
  std::string text;
  for (int i = 0; i < 5; ++i) text += fmt::format("{} is a number. ", i);
  write("work/numbers.txt", text);
  expect_success("activations --model wide --text numbers.txt --out a.safetensors");
  safetensors::write(work / "scores.safetensors", {{names::scores(0), at::randn({2, 80, 80})}},
                     {{names::kMask, "window:64"}});
  // The first token is padding, and a query sees itself alone.
  const double hidden = -std::numeric_limits<double>::infinity();
  at::Tensor scores = at::randn({2, 12, 12}).masked_fill(at::ones({12, 12}).triu(1) > 0, hidden);
  scores.select(2, 0).fill_(hidden);
  scores.select(1, 5).slice(1, 0, 5).fill_(hidden);
  safetensors::write(work / "masked.safetensors", {{names::scores(0), scores}});
  // A weight of 0, and a row whose sum is not 1.
  at::Tensor pattern = at::softmax(scores.slice(1, 1, 5).slice(2, 1, 5), -1);
  pattern[0][3][1] = 0;
  pattern[1][2] *= 0.2;
  safetensors::write(work / "sums.safetensors", {{names::pattern(0), pattern}});
  // More keys than queries; layers that are not alike, each with a learned sink.
  safetensors::write(work / "cross.safetensors",
                     {{names::pattern(0), at::softmax(at::randn({2, 3, 7}), -1)},
                      {names::v(0), at::randn({7, 2, 3})}},
                     {{names::kMask, "full"}});
  safetensors::write(work / "layers.safetensors",
                     {{names::q(0), at::randn({6, 4, 4})},
                      {names::k(0), at::randn({6, 2, 4})},
                      {names::v(0), at::randn({6, 2, 3})},
                      {names::sink(0), at::randn({4})},
                      {names::scores(3), at::randn({2, 5, 9})},
                      {names::sink(3), at::randn({2})}},
                     {{names::kMask, R"(["causal", "full"])"}});
  // A pattern that its queries and keys do not make; a row of sum 2; what a recorder vouches for.
  const at::Tensor causal = at::softmax(
      at::randn({2, 6, 6}).masked_fill(at::ones({6, 6}).triu(1).to(at::kBool), -INFINITY), -1);
  at::Tensor doubled = causal.clone();
  doubled.select(1, 3).mul_(2);
  const at::Tensor q = at::randn({6, 2, 4});
  safetensors::write(work / "other.safetensors",
                     {{names::q(0), q}, {names::k(0), q}, {names::pattern(0), causal}});
  safetensors::write(work / "twice.safetensors",
                     {{names::pattern(0), doubled}, {names::v(0), at::randn({6, 2, 3})}});
  safetensors::write(work / "checked.safetensors", {{names::q(0), q}, {names::k(0), q}},
                     {{"checked", "by its recorder"}});
  // Heads that share keys; a pattern of another T; a query that sees all keys but its own.
  safetensors::write(work / "grouped.safetensors", {{names::q(0), at::randn({80, 4, 4})},
                                                    {names::k(0), at::randn({80, 2, 4})},
                                                    {names::v(0), at::randn({80, 2, 3})}});
  safetensors::write(
      work / "colder.safetensors",
      {{names::scores(0), causal.log()}, {names::pattern(0), at::softmax(3 * causal.log(), -1)}});
  at::Tensor strict = causal.log();
  strict.select(1, 5).select(1, 5).fill_(hidden);
  safetensors::write(work / "strict.safetensors", {{names::scores(0), strict}});
  std::set<std::string> written;
  const std::string wide = " --lengths 32,64 --top-n 1,20";
  for (const std::string& input :
       {"--model wide --text numbers.txt" + wide, "--activations a.safetensors" + wide,
        "--activations scores.safetensors" + wide, std::string("--activations masked.safetensors"),
        std::string("--activations sums.safetensors"),
        std::string("--activations cross.safetensors"),
        std::string("--activations layers.safetensors"),
        std::string("--activations other.safetensors"),
        std::string("--activations twice.safetensors"),
        std::string("--activations checked.safetensors"),
        "--activations grouped.safetensors" + wide, std::string("--activations colder.safetensors"),
        std::string("--activations strict.safetensors"),
        std::string("--model model --text numbers.txt --windows 3 --lengths 8,16 --top-n 1,3 "
                    "--experiment set-size")}) {
    const Outcome outcome =
        run(fmt::format("run {} --rows last --temperatures 4 --out report", input));
    ASSERT_EQ(outcome.status, 0) << input << ": " << outcome.err;
    const json document = document_of("report");
    EXPECT_THAT(report::schema_errors(document), IsEmpty()) << input;
    written.merge(report::fields_of(document));
  }
  EXPECT_THAT(report::without(written, report::described_fields()), IsEmpty());
  std::set<std::string> unwritten = report::without(report::described_fields(), written);
  std::erase_if(unwritten, [](const std::string& field) { return !field.starts_with("/gpt2/"); });
  // The statements of the paper, and D at N = 5, are of heads that read their first token.
  std::set<std::string> of_statements;
  for (const char* const field :
       {"colder", "distance_at_five", "distance_log_ratio", "distance_slope", "growth",
        "largest_cold_t_norm", "share_beyond_16"}) {
    of_statements.insert(fmt::format("/gpt2/heads/*/without_first/{}", field));
  }
  EXPECT_EQ(unwritten, of_statements);
}

/// A row that hides a token is none of the length that it ends.
TEST_F(CommandLine, MeasuresTheLengthsThatEveryRowSeesWhole) {
  constexpr std::int64_t kAll = 12;
  const at::Tensor hidden = at::ones({kAll, kAll}, at::kBool).triu(1);
  at::Tensor scores = at::randn({2, kAll, kAll}).masked_fill(hidden, -INFINITY);
  const auto lengths = [&] {
    safetensors::write(work / "scores.safetensors",
                       {{names::scores(0), scores}, {names::v(0), at::randn({kAll, 2, 3})}});
    const Outcome outcome = run("run --activations scores.safetensors --out report");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const report::Report found = report::report_from_json(document_of("report"));
    std::vector<double> all;
    for (const report::SinkPoint& point : found.inputs.front().figures.sink) {
      all.push_back(point.length);
    }
    return all;
  };
  EXPECT_EQ(lengths(), (std::vector<double>{4, 8, kAll}));
  scores[1][3][2] = -INFINITY;
  EXPECT_EQ(lengths(), (std::vector<double>{8, kAll}));
  scores[0][kAll - 1][0] = -INFINITY;
  EXPECT_EQ(lengths(), (std::vector<double>{8, kAll - 1}));
}

/// Where a layer has two keys nothing is left to measure without the first; then it is so of no
/// layer.
TEST_F(CommandLine, MeasuresLayersOfAnySize) {
  safetensors::write(work / "sizes.safetensors",
                     {{names::pattern(0), at::softmax(at::randn({3, 4, 2}), -1)},
                      {names::v(0), at::randn({2, 1, 3})},
                      {names::pattern(1), at::softmax(at::randn({3, 1, 5}), -1)},
                      {names::v(1), at::randn({5, 3, 2})}},
                     {{names::kMask, "full"}});
  const Outcome outcome = run("run --activations sizes.safetensors --out report");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const report::Report found = report::report_from_json(document_of("report"));
  const report::Measurements& measured = found.inputs.front();
  EXPECT_THAT(measured.no_lengths, HasSubstr("there is no L"));
  ASSERT_EQ(measured.heads.size(), 6U);
  for (const report::HeadRecord& head : measured.heads) {
    EXPECT_EQ(head.rows, head.layer == 0 ? 4U : 1U);
    EXPECT_FALSE(head.without_first.has_value());
  }
}

/// Elsewhere a mutant that survives is no more than a word on the rows; what the project ships
/// tells every claim from every one.
TEST_F(CommandLine, CatchesEveryRowMutantOnTheInputsThatAreShipped) {
  // Mutants are tried on small rows, the first ones.
  write("work/sample.txt", read_file(ATTN_SHIPPED "/tiny/sample.txt").substr(0, 500));
  const std::string of_gpt2 = "--activations " ATTN_SHIPPED "/recordings/gpt2_124m_";
  for (const std::string& input : {of_gpt2 + "9tok.safetensors", of_gpt2 + "scores_ex0.safetensors",
                                   std::string("--model tiny --text sample.txt --lengths 32")}) {
    EXPECT_EQ(run(fmt::format("run {} --rows last --out report", input)).status, 0) << input;
    const report::Report report = report::read_report(work / "report" / "report.json");
    for (const report::Failure& survivor : report::survivors_on_rows(report)) {
      ADD_FAILURE() << input << ": " << survivor.reason;
    }
  }
}

/// Three windows of the 16 tokens that the model reads, and five tokens more.
constexpr std::string_view kWindowsText = "To be, or not to be, that is the question; and more t";

/// The command that reads windows quickly.
std::string on_windows(std::string_view input, std::string_view out) {
  return fmt::format("run --model model {} --lengths 8,16 --top-n 1,3 --rows last --out {}", input,
                     out);
}

/// The page of the one input of a report: not that of its heads.
fs::path input_page(const fs::path& report) {
  std::vector<fs::path> pages;
  for (const fs::path& page : fs::directory_iterator(report / "inputs")) {
    if (page.extension() == ".html" && page.stem().extension() != ".heads") pages.push_back(page);
  }
  if (pages.size() != 1) throw std::logic_error("expected one page of an input");
  return pages.front();
}

TEST_F(CommandLine, CountsWindowsAsItCountsEachByItself) {
  write("work/long.txt", std::string(kWindowsText));
  const auto report = [&](const std::string& input, const std::string& out) {
    EXPECT_THAT(run(on_windows(input, out)).status, ::testing::AnyOf(0, 3));
    return document_of(out);
  };
  const json all = report("--text long.txt --windows all", "all");
  EXPECT_EQ(all["gpt2"]["windows"]["count"], 3);
  EXPECT_EQ(all["gpt2"]["windows"]["tokens_left"], 5);
  EXPECT_EQ(all["gpt2"]["positions"], 16);

  std::map<std::string, std::uint64_t> cases, violated;
  std::map<std::string, double> ratios;
  for (std::size_t window = 0; window < 3; ++window) {
    const std::string_view text = kWindowsText.substr(16 * window, 16);
    const json one =
        report(fmt::format("--tokens {} --seed {}",
                           fmt::join(std::vector<int>(text.begin(), text.end()), ","), 1 + window),
               fmt::format("window{}", window));
    for (const json& claim : one["claims"]) {
      cases[claim["id"]] += claim["cases"].get<std::uint64_t>();
      violated[claim["id"]] += claim["violated"].get<std::uint64_t>();
      if (!claim["max_ratio"].is_number()) continue;
      const auto [at, is_new] = ratios.emplace(claim["id"], claim["max_ratio"]);
      if (!is_new) at->second = std::max(at->second, claim["max_ratio"].get<double>());
    }
  }
  ASSERT_GT(all["claims"].size(), 30U);
  for (const json& claim : all["claims"]) {
    const std::string id = claim["id"];
    EXPECT_EQ(claim["cases"], cases[id]) << id;
    EXPECT_EQ(claim["violated"], violated[id]) << id;
    if (claim["max_ratio"].is_number()) {
      EXPECT_EQ(claim["max_ratio"], ratios.at(id)) << id;
    }
    if (claim["worst"].is_object()) {
      EXPECT_THAT(claim["worst"]["where"], ::testing::StartsWith("window ")) << id;
    }
  }
  const std::string page = read_file(input_page(work / "all"));
  EXPECT_THAT(page, HasSubstr("The text was read in 3 windows of 16 tokens, each by itself; 5 "
                              "tokens after the last were not read."));
}

TEST_F(CommandLine, ReadsOneWindowAsItReadsAText) {
  write("work/short.txt", std::string(kWindowsText.substr(0, 16)));
  const auto report = [&](const std::string& input, const std::string& out) {
    EXPECT_THAT(run(on_windows(input, out)).status, ::testing::AnyOf(0, 3));
    json document = document_of(out);
    document.erase("provenance");
    document["gpt2"].erase("windows");
    for (json& claim : document["claims"]) {
      claim.erase("replay");
      for (json& mutant : claim["mutants"]) mutant.erase("replay");
    }
    return document;
  };
  EXPECT_EQ(report("--text short.txt --windows 1", "one"), report("--text short.txt", "plain"));
}

/// A run over windows, by whatever processes, that makes the report of one process.
class SpreadWindows : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    std::string text;
    for (int i = 0; i < 3; ++i) text += kWindowsText;
    write("work/long.txt", text);  // 9 windows
  }

  static std::string command(std::string_view out) {
    return on_windows("--text long.txt --windows all --threads 1", out);
  }

  /// A report but for the times and for who computed it.
  [[nodiscard]] std::string report(const fs::path& out) const {
    json document = document_of(out);
    for (const char* const field : {"ranks", "seconds", "started", "threads"}) {
      document["provenance"].erase(field);
    }
    return document.dump(1);
  }

  /// The report of one process.
  [[nodiscard]] std::string expected() const {
    // Started like those it is compared with: an emulator emulates no program that is started.
    EXPECT_THAT(call(command("whole")).status, ::testing::AnyOf(0, 3));
    EXPECT_FALSE(fs::exists(work / "whole.parts"));
    return report("whole");
  }
};

TEST_F(SpreadWindows, InShardsAreMerged) {
  std::vector<report::Report> shards;
  for (int shard = 3; shard >= 1; --shard) {
    const std::string out = fmt::format("shard{}", shard);
    const Outcome outcome = run(fmt::format("{} --shard {}/3", command(out), shard));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    shards.push_back(report::read_part(work / out / "report.json"));
    EXPECT_THAT(report::schema_errors(document_of(out)), IsEmpty());
  }
  report::Report merged = report::merge(shards);
  fs::create_directory(work / "merged");
  report::write_report(work / "merged" / "report.json", merged);
  EXPECT_EQ(report("merged"), expected());
  shards.pop_back();
  EXPECT_THROW(report::merge(shards), BadInput);
}

TEST_F(SpreadWindows, GoOnWhereTheyWereKilled) {
  // It is gone when it has been waited for.
  const std::string killed = fmt::format(
      "cd '{}' && ('{}' {} >/dev/null 2>&1 & pid=$!; while kill -0 $pid && [ \"$(cat cut.parts "
      "| wc -l)\" -lt 4 ]; do sleep 0.02; done; kill -9 $pid || exit; wait $pid || true) "
      "2>/dev/null",
      work.string(), ATTN_GPT2_CHECK, command("cut"));
  EXPECT_EQ(std::system(killed.c_str()), 0) << "it had ended before";
  ASSERT_TRUE(fs::exists(work / "cut.parts"));
  expect_refused(command("cut"), "--resume");
  expect_refused(command("cut") + " --seed 1 --resume", "cut.parts: command");
  const std::string again = command("cut") + " --resume";
  const auto refused_where = [&](const std::string& file, const char* what) {
    const std::string as_it_was = read_file(folder / file);
    std::string changed = as_it_was;
    changed[changed.size() / 2] ^= 1;
    write(file, changed);
    expect_refusal([&] { return call(again); }, again, what);
    write(file, as_it_was);
  };
  refused_where("work/long.txt", "cut.parts: tokens");
  refused_where("work/model/model.safetensors", "cut.parts: model");
  // By the same program, which is part of what a run is known by.
  const Outcome resumed = call(command("cut") + " --resume");
  EXPECT_THAT(resumed.status, ::testing::AnyOf(0, 3)) << resumed.err;
  EXPECT_FALSE(fs::exists(work / "cut.parts"));
  EXPECT_EQ(report("cut"), expected());
  expect_refused(command("cut") + " --resume", "finished");
}

#ifndef ATTN_MPIRUN
#define ATTN_MPIRUN ""
#endif

/// Spreads windows over ranks, under mpirun.
class SpreadOverRanks : public SpreadWindows {
 protected:
  void SetUp() override {
    SpreadWindows::SetUp();
    if (!*ATTN_MPIRUN) GTEST_SKIP() << "built without MPI (-DATTN_MPI=ON)";
    // Root may, and there may be more ranks than processors.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    static const bool starts = mpirun(ranks(1, "--version")).status == 0;
    if (!starts) GTEST_SKIP() << "mpirun starts nothing here";
  }

  static std::string ranks(int count, const std::string& arguments) {
    return fmt::format("-n {} '{}' {}", count, ATTN_GPT2_CHECK, arguments);
  }

  /// `ranks`: what is to be started, as mpirun reads it.
  [[nodiscard]] Outcome mpirun(const std::string& ranks) const {
    return outcome_of(ATTN_MPIRUN " --quiet " + ranks);
  }

  void expect_ranks_refused(const std::string& ranks, const std::string& message) const {
    expect_refusal([&] { return mpirun(ranks); }, ranks, message);
  }
};

TEST_F(SpreadOverRanks, GivesTheReportOfOne) {
  const Outcome outcome = mpirun(ranks(3, command("ranks")));
  EXPECT_THAT(outcome.status, ::testing::AnyOf(0, 3)) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(report("ranks"), expected());
  const auto provenance = [&](const fs::path& out) { return document_of(out).at("provenance"); };
  EXPECT_EQ(provenance("ranks").at("ranks"), 3);
  EXPECT_EQ(provenance("ranks").at("threads"), 3) << "one of each rank";
  EXPECT_FALSE(provenance("whole").contains("ranks"));
  expect_ranks_refused(ranks(2, command("ranks") + " --resume"), "finished");
}

TEST_F(SpreadOverRanks, TooFewWindowsAreRefused) {
  expect_ranks_refused(ranks(3, "run --model model --text long.txt --windows 2 --out few"),
                       "3 ranks: expected no more than there are windows, 2, found 3; start fewer "
                       "ranks, or give more --windows");
  expect_ranks_refused(ranks(2, "run --model model --text text.txt --out few"),
                       "2 ranks: expected no more than there are windows, 1");
}

TEST_F(CommandLine, TellsTheKernelsThatMadeTheDigits) {
  ASSERT_EQ(run("run --model model --text text.txt --out here").status, 0);
  ASSERT_EQ(run("activations --model model --text text.txt --out here.safetensors").status, 0);
  setenv("ATEN_CPU_CAPABILITY", "default", 1);
  const Outcome report = call("run --model model --text text.txt --out plain");
  const Outcome rows = call("activations --model model --text text.txt --out plain.safetensors");
  unsetenv("ATEN_CPU_CAPABILITY");
  ASSERT_EQ(report.status, 0) << report.err;
  ASSERT_EQ(rows.status, 0) << rows.err;
  const auto of_report = [&](const char* out) { return document_of(out)["provenance"]; };
  const auto of_rows = [&](const char* out, const char* name) {
    return safetensors::File(work / out).metadata(name);
  };
  EXPECT_EQ(of_report("here")["libraries"]["libtorch"], libtorch_name());
  EXPECT_EQ(of_rows("here.safetensors", "libtorch"), libtorch_name());
  EXPECT_EQ(of_rows("here.safetensors", "blas"), of_report("here")["blas"].get<std::string>());
  const std::string plain = of_report("plain")["libraries"]["libtorch"];
  EXPECT_THAT(plain, MatchesRegex("[0-9.]+ with (NO AVX|DEFAULT)"));
  EXPECT_THAT(call("--version").out,
              AllOf(::testing::StartsWith("gpt2_check "), HasSubstr("libtorch "),
                    HasSubstr("icu " + icu_version())));
  EXPECT_EQ(of_report("here")["libraries"]["icu"], icu_version());
  EXPECT_EQ(of_rows("plain.safetensors", "libtorch"), plain);
}

TEST_F(CommandLine, SaysWhichCharactersIcuIsTooOldFor) {
  write("work/newer.txt", "so \U00040000");
  const Outcome outcome = run("tokenize --model model newer.txt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, MatchesRegex("newer.txt: U\\+40000 at byte offset 3, .*\n"));
  EXPECT_EQ(run("tokenize --model model text.txt").err, "");
}

TEST_F(CommandLine, DoesInAProcessOfItsOwnWhatItDoesInThis) {
  for (const char* const arguments :
       {"--frobnicate", "run --model model --tokens 1,256 --out r",
        "activations --model model --tokens 1,2 --out a.safetensors"}) {
    const Outcome own = call(arguments);
    const Outcome here = run(arguments);
    EXPECT_EQ(own.status, here.status) << arguments;
    EXPECT_EQ(own.out, here.out) << arguments;
    EXPECT_EQ(own.err, here.err) << arguments;
  }
}

// A file's name may be any bytes: the report and the messages are text all the same.
/// The one head of a pattern is larger than the memory that there is.
TEST_F(CommandLine, SaysInOneLineThatMemoryIsShort) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes all of the address space";
#endif
  constexpr std::uint64_t kTokens = 30'000, kBytes = 4 * kTokens * kTokens;
  const json entry = {
      {"dtype", "F32"}, {"shape", {1, kTokens, kTokens}}, {"data_offsets", {0, kBytes}}};
  const std::string header = json{{names::pattern(0), entry}}.dump();
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i));
  write("work/large.safetensors", length + header);
  fs::resize_file(work / "large.safetensors", 8 + header.size() + kBytes);  // a hole on the disk
  const std::string line = fmt::format(
      "ulimit -v 3000000; '{}' run --activations large.safetensors --out report", ATTN_GPT2_CHECK);
  expect_refusal([&] { return outcome_of(line); }, line,
                 "expected an input that fits into memory, found an allocation that failed");
}

TEST_F(CommandLine, TakesNamesThatAreNotUtf8) {
  write("work/\xff.txt", "the cat sat");
  fs::copy(work / "model", work / "m\xfe");
  const Outcome outcome = run("run --model 'm\xfe' --text '\xff.txt' --top-n 1 --out r");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = document_of("r");
  EXPECT_EQ(report["provenance"]["model"]["name"], "m\uFFFD");
  EXPECT_THAT(report.dump(), HasSubstr(R"(--text $'\\377.txt')"));
  expect_refused("run --model model --text 'none\xff' --out r",
                 "none\uFFFD: expected a file, found none");
  expect_success("activations --model 'm\xfe' --text '\xff.txt' --out a.safetensors");
}

struct Refusal {
  const char* arguments;
  const char* message;
};

constexpr Refusal kRefusals[] = {
    {"", "subcommand"},
    {"frobnicate", "subcommand"},
    // Inputs.
    {"run --out r", "either --model"},
    {"run --model model --activations a --out r", "either --model"},
    {"run --model model --text text.txt --tokens 1,2 --out r", "either --text or --tokens"},
    {"run --model no/such/model --tokens 1,2 --out r", "model 'no/such/model'"},
    {"run --activations a --text text.txt --out r", "go with --model"},
    {"run --activations short.safetensors --out r", "at least 8 bytes"},
    {"run --activations one_key.safetensors --out r", "some claim"},
    {"run --model model --tokens '' --out r", "--tokens"},
    {"run --model model --tokens 1,256 --out r",
     "token id at position 1: expected one of the model's vocabulary, 0..255, found 256"},
    {"run --model model --tokens 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 --out r",
     "at most 16 tokens, found 17"},
    {"run --model model --out r --text latin1.txt", "latin1.txt: expected UTF-8"},
    {"run --model model --out r --text empty.txt",
     "empty.txt: expected at least one token, found an empty text"},
    {"run --model model --out r --text none.txt", "none.txt: expected a file, found none"},
    // Windows.
    {"run --model model --text long.txt --windows 0 --out r",
     "expected all, or a number of windows from 1 on, found '0'"},
    {"run --model model --text long.txt --windows 4 --out r",
     "--windows: expected at most 3, of 16 tokens each, for long.txt has no more, found 4"},
    {"run --model model --text text.txt --windows all --out r",
     "--windows: expected at least 16 tokens, one window, found 6 in text.txt"},
    {"run --model model --tokens 1,2 --windows 1 --out r",
     "expected at least 16 tokens, one window, found 2 in --tokens"},
    {"run --activations a --windows all --out r", "go with --model"},
    {"run --model model --text long.txt --resume --out r",
     "--resume: expected --windows beside it"},
    {"run --model model --text long.txt --shard 1/2 --out r",
     "--shard: expected --windows beside it"},
    {"run --model model --text long.txt --windows 2 --shard 1/3 --out r",
     "3 shards: expected no more than there are windows, 2"},
    {"run --model model --text long.txt --windows 2 --shard 3/2 --out r", "--shard"},
    {"run --model model --text long.txt --windows 2 --shard 1/2 --experiment set-size --out r",
     "--experiment: expected no --shard beside it"},
    // Other flags.
    {"run --model model --tokens 1,2", "--out is required"},
    {"run --model model --tokens 1,2 --out text.txt", "--out"},
    {"run --model model --tokens 1,2 --out r --frobnicate", "--frobnicate"},
    {"run --model model --tokens 1,2,3,4 --out r --top-n 4", "expected 1 <= N < L"},
    {"run --model model --tokens 1,2,3,4 --out r --temperatures 0", "--temperatures"},
    {"activations --model model --tokens 1,2 --out no/a.safetensors", "that can be written to"},
    {"activations --model model --text text.txt --out ./text.txt",
     "expected a file that is not read"},
    {"activations --model model --tokens 1,2 --out model/model.safetensors",
     "--out: expected a file that is not read, found model/model.safetensors"},
    {"init --config shape.json --seed 1 --out model", "is not empty"},
    {"init --config none.json --seed 1 --out m", "none.json: expected a file, found none"},
    {"init --config shape.json --out m", "--seed is required"},
};

TEST_F(CommandLine, RefusesWhatItCannotDo) {
  write("work/latin1.txt", "caf\xe9 au lait");
  write("work/empty.txt", "");
  write("work/long.txt", std::string(kWindowsText));
  write("work/shape.json", to_json_text(test::small_config()));
  write("work/short.safetensors", "1234567");
  // Each query sees one key alone, so that no row has logits; and there are no values.
  safetensors::write(work / "one_key.safetensors", {{names::pattern(0), at::eye(8).unsqueeze(0)}});
  for (const auto& [arguments, message] : kRefusals) expect_refused(arguments, message);
}

TEST_F(CommandLine, LeavesNothingAfterAnInterrupt) {
  Config large = test::small_config();
  large.vocabulary = 2'000'000;  // long enough to be interrupted on the way
  write("work/shape.json", to_json_text(large));
  const auto before = files();
  const Outcome outcome = outcome_of(fmt::format(
      "files=$(ls -A | wc -l) && ('{}' init --config shape.json --seed 1 --out random & "
      "pid=$!; while kill -0 $pid && [ $(ls -A | wc -l) -eq $files ]; do sleep 0.01; done; "
      "kill -TERM $pid && wait $pid)",
      ATTN_GPT2_CHECK));
  EXPECT_EQ(outcome.status, 128 + SIGTERM);
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace attn::gpt2
