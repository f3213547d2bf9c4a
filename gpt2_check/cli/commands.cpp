#include "gpt2_check/cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "gpt2_check/activations/model_run.hpp"
#include "gpt2_check/activations/recording.hpp"
#include "gpt2_check/checkpoint/config.hpp"
#include "gpt2_check/checkpoint/locate.hpp"
#include "gpt2_check/checkpoint/pending_output.hpp"
#include "gpt2_check/cli/arguments.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/run.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

template <class Number>
std::vector<Number> sorted(std::vector<Number> numbers) {
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  return numbers;
}

/// `value` as one word of a shell command.
std::string quoted(const std::string& value) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  if (!value.empty() && value.find_first_not_of(kPlain) == std::string::npos) return value;
  std::string word = "'";
  for (const char c : value) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The command that runs the same checks again, but for --out and --threads, which change nothing.
std::string replay_command(const RunFlags& flags) {
  std::string command = "gpt2_check run";
  const auto add = [&](const char* flag, const std::optional<std::string>& value) {
    if (value) command += fmt::format(" {} {}", flag, quoted(*value));
  };
  add("--model", flags.model);
  add("--text", flags.text);
  add("--tokens", flags.tokens);
  add("--activations", flags.activations);
  add("--lengths", flags.lengths);
  add("--top-n", flags.top_n);
  add("--temperatures", flags.temperatures);
  add("--rows", flags.rows);
  add("--embedding", flags.embedding);
  add("--rank", flags.rank);
  add("--precision", flags.precision);
  add("--device", flags.device);
  return command + fmt::format(" --seed {} --out DIR", flags.seed);
}

/// The options that speak of rows, not yet checked against the input.
RunOptions row_options(const RunFlags& flags) {
  RunOptions options;
  options.out = flags.out;
  if (flags.lengths) options.lengths = sorted(arguments::integers("--lengths", *flags.lengths, 2));
  if (flags.top_n) options.top_n = sorted(arguments::integers("--top-n", *flags.top_n, 1));
  if (flags.temperatures) {
    options.temperatures =
        sorted(arguments::positive_numbers("--temperatures", *flags.temperatures));
  }
  options.rows = arguments::rows("--rows", flags.rows);
  options.embedding = flags.embedding == "hidden" ? Embedding::hidden : Embedding::value;
  options.rank = flags.rank == "contribution" ? Rank::contribution : Rank::weight;
  options.threads = flags.threads;
  options.seed = arguments::seed("--seed", flags.seed);
  options.replay = replay_command(flags);
  return options;
}

void read_recording(const RunFlags& flags, RunOptions& options) {
  if (flags.text || flags.tokens || flags.precision || flags.device) {
    throw BadInput("--text, --tokens, --precision and --device go with --model, not --activations");
  }
  options.stage = report::Stage::activations;
  options.precision = report::Precision::as_recorded;
  options.source = std::make_unique<Recording>(*flags.activations);
  arguments::check_selection(options.lengths, options.top_n, options.source->shape().positions);
}

void read_model(const RunFlags& flags, RunOptions& options) {
  options.stage = report::Stage::gpt2;
  const std::string precision = flags.precision.value_or("f32");
  options.precision = *report::from_word<report::Precision>(precision);
  PreparedInput input = prepare({*flags.model, flags.text, flags.tokens});
  arguments::check_selection(options.lengths, options.top_n,
                             static_cast<std::int64_t>(input.tokens.size()));
  options.text_sha256 = input.text_sha256;
  options.tokens_sha256 = input.tokens_sha256;
  options.source =
      std::make_unique<ModelRun>(load(input.folder, precision, flags.device.value_or("cpu")),
                                 *flags.model, std::move(input.tokens));
}

void check_report_folder(const std::string& out) {
  if (out.empty()) throw BadInput("--out: expected a folder, found ''");
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_directory(out, error)) {
    throw BadInput(fmt::format("--out: {} exists and is not a folder", out));
  }
}

}  // namespace

int run_command(const RunFlags& flags) {
  if (flags.model.has_value() == flags.activations.has_value()) {
    throw BadInput("give either --model with --text or --tokens, or --activations");
  }
  RunOptions options = row_options(flags);
  check_report_folder(flags.out);
  set_threads(flags.threads);
  if (flags.activations) {
    read_recording(flags, options);
  } else {
    read_model(flags, options);
  }
  return run(options);
}

int activations_command(const ModelInput& input, const std::string& out) {
  set_threads(default_threads());
  const PreparedInput prepared = prepare(input);
  record(load(prepared.folder, "f32", "cpu"), input.model, prepared.tokens, out);
  return kAsExpected;
}

int tokenize_command(const std::string& model, const std::string& file) {
  const auto tokens = tokenize(locate_model(model), read_text(file), file);
  fmt::print("[{}]\n", fmt::join(tokens, ","));
  return kAsExpected;
}

int init_command(const InitFlags& flags) {
  const Config config = flags.config == "gpt2" ? gpt2_124m() : load_config(flags.config);
  const std::uint64_t seed = arguments::seed("--seed", flags.seed);
  PendingOutput output(flags.out);
  fs::create_directory(output.path());
  save_checkpoint(output.path(), config, random_weights(config, seed));
  output.commit();
  return kAsExpected;
}

}  // namespace attn::gpt2
