#include "gpt2_check/cli/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "reports/record/report.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/read_json.hpp"

namespace attn::gpt2 {
namespace arguments {
namespace {

/// Every item of a list that `is_valid` accepts, or BadInput.
template <class Number, class IsValid>
std::vector<Number> list(const std::string& value, const std::string& expected,
                         const IsValid& is_valid) {
  std::vector<std::string> parts;
  boost::algorithm::split(parts, value, [](char c) { return c == ','; });
  std::vector<Number> numbers;
  for (const std::string& part : parts) {
    const auto number = number_from<Number>(part);
    if (!number || !is_valid(*number)) {
      throw BadInput({.kind = number ? BadInputKind::out_of_range : BadInputKind::malformed,
                      .expected = expected,
                      .found = in_quotes(part)});
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<std::int64_t> integers(const std::string& value, std::int64_t lowest) {
  return list<std::int64_t>(value,
                            fmt::format("integers from {} on, with commas between them", lowest),
                            [lowest](std::int64_t number) { return number >= lowest; });
}

std::vector<std::int64_t> tokens(const std::string& value) {
  if (!value.starts_with('[')) return integers(value, 0);
  const std::string expected = "a JSON array of integers from 0 on, at least one";
  const nlohmann::json array = read_json(value, expected);
  const auto is_id = [](const nlohmann::json& id) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return id.is_number_unsigned() && id.get<std::uint64_t>() <= kMost;
  };
  const auto other = std::ranges::find_if_not(array, is_id);
  if (other != array.end() || array.empty()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = expected,
                    .found = array.empty() ? "an empty one" : shown_json(*other)});
  }
  return array.get<std::vector<std::int64_t>>();
}

std::vector<double> positive_numbers(const std::string& value) {
  return list<double>(value, "positive numbers, with commas between them",
                      [](double number) { return std::isfinite(number) && number > 0; });
}

RowSelection rows(const std::string& value) {
  constexpr std::string_view kStride = "stride:";
  if (value == "all") return {};
  if (value == "last") return {.last_only = true, .stride = 1};
  if (value.starts_with(kStride)) {
    const auto stride = number_from<std::int64_t>(std::string_view(value).substr(kStride.size()));
    if (stride && *stride >= 1) return {.last_only = false, .stride = *stride};
  }
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = "all, last or stride:k with k >= 1",
                  .found = in_quotes(value)});
}

std::uint64_t windows(const std::string& value) {
  if (value == "all") return kAllWindows;
  const auto count = number_from<std::uint64_t>(value);
  if (count && *count >= 1) return *count;
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = "all, or a number of windows from 1 on",
                  .found = in_quotes(value)});
}

}  // namespace arguments

namespace {

constexpr const char* kModelHelp = "A checkpoint folder, a hub name in the cache, or tiny";
constexpr const char* kTextHelp = "A UTF-8 text; its first n_positions tokens are read";

template <class Number>
std::vector<Number> ascending(const std::vector<Number>& numbers) {
  const std::set<Number> distinct(numbers.begin(), numbers.end());
  return {distinct.begin(), distinct.end()};
}

Flag add_plain_text(CLI::App& app, bool& plain_text) {
  return add_switch(app, "--plain-text", plain_text,
                    "Read <|endoftext|> and other added tokens in the text as characters");
}

/// What a model reads.
void add_model_input(CLI::App& app, ModelInput& input) {
  add_option(app, "--text", input.text, kTextHelp);
  add_plain_text(app, input.plain_text).needs("--text");
  add_value(app, "--tokens", input.tokens, arguments::tokens,
            "Token ids, with commas between them, or as a JSON array, as tokenize prints them")
      .type_name("IDS");
}

/// The flags that say what is checked.
void add_run_input(CLI::App& run, RunFlags& flags) {
  add_option(run, "--model", flags.input.model, kModelHelp);
  add_model_input(run, flags.input);
  add_value(run, "--windows", flags.input.windows, arguments::windows,
            "Read all of the text in consecutive windows of n_positions tokens, or the first K")
      .type_name("all|K");
  add_option(run, "--activations", flags.activations,
             "Recorded activations (safetensors, TransformerLens names) in place of a model");
  add_word(run, "--precision", flags.precision, kPrecisions, "The model's arithmetic")
      .default_str(std::string(to_word(kPrecisions, kDefaultPrecision)));
  add_word(run, "--device", flags.device, kDevices, "Where the model runs")
      .default_str(std::string(to_word(kDevices, kDefaultDevice)));
  add_word(run, "--experiment", flags.experiment, kExperiments,
           "Measure in full how many tokens a query must keep; else a small model's short form");
}

/// The flags that say which rows are checked, and how.
void add_run_selection(CLI::App& run, RunOptions& options) {
  const auto integers_from = [](std::int64_t lowest) {
    return
        [lowest](const std::string& list) { return ascending(arguments::integers(list, lowest)); };
  };
  add_value(run, "--lengths", options.lengths, integers_from(2),
            "Numbers L of visible tokens, with commas");
  add_value(run, "--top-n", options.top_n, integers_from(1),
            "Numbers N of selected tokens, with commas; N < L");
  add_value(
      run, "--temperatures", options.temperatures,
      [](const std::string& list) { return ascending(arguments::positive_numbers(list)); },
      "Temperatures T > 0 of raw logits q.k, with commas");
  add_value(run, "--rows", options.rows, arguments::rows, "all, last or stride:k")
      .default_str("all");
  add_seed(run, options.seed, "The seed of sampled choices");
}

}  // namespace

CLI::App& add_run(CLI::App& app, RunFlags& flags) {
  CLI::App& run = add_command(app, "run", "Check the claims on the rows of every head");
  add_run_input(run, flags);
  add_run_selection(run, flags.options);
  add_threads(run, flags.options.threads, "Threads");
  add_value(run, "--shard", flags.options.shard, report::shard_from,
            "Of N runs over these windows the K-th, for report merge to join")
      .type_name("K/N")
      .group(kChangesNoResult);
  add_switch(run, "--verbose", flags.options.verbose, "Print a line for each claim too")
      .group(kChangesNoResult);
  add_switch(run, "--resume", flags.options.resume, "Go on with windows that were cut off")
      .group(kChangesNoResult);
  add_option(run, "--out", flags.options.out, "The folder of the report")
      .required()
      .group(kChangesNoResult);
  return run;
}

CLI::App& add_activations(CLI::App& app, ActivationsFlags& flags) {
  CLI::App& activations = add_command(app, "activations", "Record the activations of a model");
  add_option(activations, "--model", flags.input.model, kModelHelp).required();
  add_model_input(activations, flags.input);
  add_option(activations, "--out", flags.out, "The safetensors file to write").required();
  return activations;
}

CLI::App& add_tokenize(CLI::App& app, TokenizeFlags& flags) {
  CLI::App& tokenize = add_command(app, "tokenize", "Print the token ids of a text");
  add_option(tokenize, "--model", flags.model, kModelHelp).required();
  add_option(tokenize, "file", flags.file, "A UTF-8 text, or - for standard input").required();
  add_plain_text(tokenize, flags.plain_text);
  return tokenize;
}

CLI::App& add_init(CLI::App& app, InitFlags& flags) {
  CLI::App& init = add_command(app, "init", "Write a random checkpoint of a given shape");
  add_option(init, "--config", flags.config, "gpt2 (124M), or a config.json").required();
  add_seed(init, flags.seed, "The seed of the weights").default_str("").required();
  add_option(init, "--out", flags.out, "The folder to write").required();
  return init;
}

}  // namespace attn::gpt2
