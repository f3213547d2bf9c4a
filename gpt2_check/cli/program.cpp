#include "gpt2_check/cli/program.hpp"

#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <malloc.h>
#include <torch/version.h>

#include <filesystem>
#include <new>
#include <string_view>
#include <utility>

#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/cli/flags.hpp"
#include "gpt2_check/cli/input.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/set_size/recorded.hpp"
#include "gpt2_check/set_size/set_size.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "reports/pages/render.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/overwrite.hpp"
#include "theory/base/pending_output.hpp"
#include "theory/units/ranks.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

/// The model, and which recording of it.
std::string recording_label(const std::string& model, const std::string& file) {
  const std::string name = valid_utf8(fs::path(file).filename().string());
  return model == name ? name : fmt::format("{}, {}", model, name);
}

void read_recording(const RunFlags& flags, RunOptions& options) {
  const ModelInput& of_model = flags.input;
  if (of_model.text || of_model.tokens || of_model.windows || flags.precision || flags.device ||
      flags.experiment) {
    throw BadInput(
        {.kind = BadInputKind::inconsistent,
         .where = "--activations",
         .expected =
             "none of --text, --tokens, --windows, --precision, --device and --experiment beside "
             "it",
         .found = "one of them",
         .advice = "they go with --model"});
  }
  options.stage = report::Stage::activations;
  options.precision = report::Precision::as_recorded;
  options.source = open_recording(*flags.activations);
  options.input = recording_label(options.source->model_name(), *flags.activations);
  if (const auto sizes = recorded_set_sizes(*flags.activations)) {
    options.set_sizes = [sizes](const auto&) { return *sizes; };
  }
  const ActivationShape shape = options.source->shape();
  check_selection(options.lengths, options.top_n, shape);
}

/// The windows of what a model reads, each a run of its own on the same weights.
TextWindows windows_of(const LayerwiseCheckpoint& checkpoint, const std::string& name,
                       const PreparedInput& input) {
  TextWindows windows{.count = input.windows, .tokens_left = input.tokens_left, .source = {}};
  const std::size_t length = input.tokens.size() / input.windows;
  windows.source = [=, tokens = input.tokens](std::uint64_t window) {
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(window * length);
    return model_run(checkpoint, name, {first, first + static_cast<std::ptrdiff_t>(length)});
  };
  return windows;
}

/// Whether a pass is so short that experiment 6 takes seconds; the model's head must be there.
bool is_small(const Config& config) {
  const std::int64_t by_layer = 4 * config.width + 2 * config.inner;
  return config.tied_head &&
         config.width * (config.layers * by_layer + config.vocabulary) <= 5'000'000;
}

/// Experiment 6, on the CPU, where it was asked for or is short.
void add_set_sizes(const RunFlags& flags, const PreparedInput& input, RunOptions& options) {
  const bool in_full = flags.experiment.has_value();
  if (in_full && options.shard) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "--experiment",
                    .expected = "no --shard beside it",
                    .found = "one",
                    .advice = "measure it in a run of its own"});
  }
  const bool is_short =
      input.windows == 1 && !options.shard && is_small(load_config(input.folder / "config.json"));
  if (!in_full && !is_short) return;
  const auto length = static_cast<std::int64_t>(input.tokens.size() / input.windows);
  const SetSizeSettings settings = set_size_settings(in_full, length, options.seed);
  const at::ScalarType precision = flags.precision.value_or(kDefaultPrecision);
  options.set_sizes = [=, folder = input.folder, tokens = input.tokens](const auto& show) {
    const Checkpoint model = load_checkpoint(folder, precision);
    return measure_set_sizes(model.config, model.weights,
                             at::tensor(tokens, at::kLong).split(length), settings, show);
  };
}

void read_model(const RunFlags& flags, RunOptions& options) {
  const at::ScalarType precision = flags.precision.value_or(kDefaultPrecision);
  options.stage = report::Stage::gpt2;
  options.precision = report::from_word<report::Precision>(to_word(kPrecisions, precision));
  const PreparedInput input = prepare(flags.input);
  const auto tokens = static_cast<std::int64_t>(input.tokens.size() / input.windows);
  check_selection(options.lengths, options.top_n, {{{.queries = tokens, .keys = tokens}}});
  options.text_sha256 = input.text_sha256;
  options.tokens_sha256 = input.tokens_sha256;
  options.input = display_name(flags.input.model);
  TextWindows windows =
      windows_of(open(input.folder, precision, flags.device.value_or(kDefaultDevice),
                      /*needs_head=*/flags.experiment.has_value()),
                 options.input, input);
  options.source = windows.source(0);
  if (flags.input.windows) options.windows = std::move(windows);
  if (input.tokens.size() > 1) add_set_sizes(flags, input, options);
}

// Each command returns the exit code and throws BadInput before anything is written.

/// Checks the flags against the input and runs the checks on its rows, on all ranks that run
/// together. `command`: the command line that gives these flags, but for those that change no
/// result.
int run_command(RunFlags flags, const std::string& command, units::Messages& messages) {
  const bool has_model = !flags.input.model.empty();
  if (has_model == flags.activations.has_value()) {
    throw BadInput({.kind = has_model ? BadInputKind::inconsistent : BadInputKind::missing,
                    .expected = "either --model with --text or --tokens, or --activations",
                    .found = has_model ? "both" : "neither"});
  }
  if (!flags.input.windows && (flags.options.shard || flags.options.resume)) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = flags.options.shard ? "--shard" : "--resume",
                    .expected = "--windows beside it",
                    .found = "none",
                    .advice = "only a run over windows is cut, and kept as it goes on"});
  }
  RunOptions options = std::move(flags.options);
  options.command = command;
  report::check_folder_for_report(options.out);
  set_threads(options.threads);
  if (flags.activations) {
    read_recording(flags, options);
  } else {
    read_model(flags, options);
  }
  return run(options, messages);
}

/// Refuses to write over the text, or over a file of the checkpoint.
void check_not_read(const std::string& out, const ModelInput& input, const fs::path& folder) {
  std::error_code missing;  // what is not there is not read
  const bool is_text = input.text && fs::equivalent(out, *input.text, missing);
  const bool is_in_model =
      fs::exists(out, missing) && fs::equivalent(fs::absolute(out).parent_path(), folder, missing);
  if (!is_text && !is_in_model) return;
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = "--out",
                  .expected = "a file that is not read",
                  .found = out,
                  .advice = "name another"});
}

/// Whether a file begins as what `record` writes: the metadata of its header come first.
bool is_own_recording(std::string_view beginning) {
  const auto has = [&](std::string_view text) {
    return beginning.find(text) != std::string_view::npos;
  };
  return has(R"({"__metadata__":{)") && has(R"("libtorch":)") && has(R"("model_sha256":)");
}

/// Records the activations of a model, float32.
int activations_command(const ActivationsFlags& flags) {
  set_threads(default_threads());
  const PreparedInput prepared = prepare(flags.input);
  check_not_read(flags.out, flags.input, prepared.folder);
  expect_replaceable(flags.out, "activations that this program recorded", is_own_recording);
  record(load_checkpoint(prepared.folder, at::kFloat), display_name(flags.input.model),
         prepared.tokens, flags.out);
  return kAsExpected;
}

/// Prints the token ids of a text as one JSON array.
int tokenize_command(const TokenizeFlags& flags) {
  const auto tokens =
      tokenize(locate_model(flags.model), read_input(flags.file), flags.file, flags.plain_text);
  fmt::print("[{}]\n", fmt::join(tokens, ","));
  return kAsExpected;
}

/// Writes a random checkpoint.
int init_command(const InitFlags& flags) {
  const Config config = flags.config == "gpt2" ? gpt2_124m() : load_config(flags.config);
  PendingOutput output(flags.out);
  fs::create_directory(output.path());
  save_checkpoint(output.path(), config, random_weights(config, flags.seed));
  output.commit();
  return kAsExpected;
}

/// Whether LibTorch says that an allocation failed.
bool is_of_memory(const c10::Error& error) {
  const std::string_view message = error.what_without_backtrace();
  return message.find("can't allocate memory") != message.npos ||
         message.find("not enough memory") != message.npos;
}

BadInput no_memory() {
  return BadInput({.kind = BadInputKind::too_large,
                   .expected = "an input that fits into memory",
                   .found = "an allocation that failed",
                   .advice = "record fewer tokens, or take fewer --threads"});
}

}  // namespace

int run_program(int argc, char** argv) {
  const auto line = command_line("Checks the limits of softmax attention on GPT-2", "gpt2_check");
  CLI::App& app = *line;
  require_command(app);

  // What a row frees the next one asks for: given back in between, it would cost page faults.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  RunFlags run_flags;
  run_flags.options.threads = default_threads();
  ActivationsFlags activations_flags;
  TokenizeFlags tokenize_flags;
  InitFlags init_flags;

  const CLI::App& run = add_run(app, run_flags);
  const CLI::App& activations = add_activations(app, activations_flags);
  const CLI::App& tokenize = add_tokenize(app, tokenize_flags);
  add_init(app, init_flags);

  const auto body = [&](units::Messages& messages) -> int {
    if (is_given(run)) return run_command(std::move(run_flags), command_given(run), messages);
    if (messages.rank() > 0) return kAsExpected;  // the others are for one process
    if (is_given(activations)) return activations_command(activations_flags);
    if (is_given(tokenize)) return tokenize_command(tokenize_flags);
    return init_command(init_flags);
  };
  const auto within_memory = [&](units::Messages& messages) -> int {
    try {
      return body(messages);
    } catch (const std::bad_alloc&) {
      throw no_memory();
    } catch (const c10::Error& error) {
      if (!is_of_memory(error)) throw;
      throw no_memory();
    }
  };
  return units::run_ranks_main(app, argc, argv, within_memory,
                               {{"icu", icu_version()}, {"libtorch", TORCH_VERSION}});
}

}  // namespace attn::gpt2
