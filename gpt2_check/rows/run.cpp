#include "gpt2_check/rows/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/render.hpp"
#include "reports/text/console.hpp"
#include "reports/windows/fold.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/processor.hpp"
#include "theory/base/progress.hpp"
#include "theory/number/machine_assumptions.hpp"
#include "theory/units/result_journal.hpp"
#include "theory/units/team.hpp"
#include "theory/units/unit.hpp"

namespace attn::gpt2 {
namespace {

/// The lengths and the N of the paper's figures, as far as the sequence allows; below them, for
/// short sequences, more powers of two.
constexpr std::int64_t kLengths[] = {32, 64, 128, 256, 512, 1024};
constexpr std::int64_t kShortLengths[] = {4, 8, 16, 32};
constexpr std::size_t kTopN[] = {1, 5, 10, 20, 100};

std::vector<std::int64_t> lengths_of(const RunOptions& options, const ActivationShape& shape) {
  if (!options.lengths.empty()) return options.lengths;
  const std::int64_t positions = shape.longest_length();
  std::vector<std::int64_t> lengths;
  const bool is_short = positions <= kLengths[1];
  for (const std::int64_t length : is_short ? std::span<const std::int64_t>(kShortLengths)
                                            : std::span<const std::int64_t>(kLengths)) {
    if (length < positions && shape.has_length(length)) lengths.push_back(length);
  }
  if (positions > 0) lengths.push_back(positions);
  return lengths;
}

std::vector<std::size_t> top_n_of(const RunOptions& options, std::int64_t positions) {
  if (!options.top_n.empty()) return {options.top_n.begin(), options.top_n.end()};
  std::vector<std::size_t> top_n(std::begin(kTopN), std::end(kTopN));
  std::erase_if(top_n, [&](std::size_t n) { return static_cast<std::int64_t>(n) >= positions; });
  return top_n;
}

/// Experiment 5: T from 1e-3 to 10 in half decades, and the temperatures at which the claims are
/// decided.
std::vector<double> gradient_temperatures(const RunOptions& options, const ActivationShape& shape) {
  std::set<double> temperatures = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0};
  temperatures.insert(options.temperatures.begin(), options.temperatures.end());
  for (const LayerShape& layer : shape.layers) {
    if (options.temperatures.empty()) temperatures.insert(layer.temperature);
  }
  return {temperatures.begin(), temperatures.end()};
}

/// How many last rows of a length D and E are means of: kLastRows, or those beyond half of it where
/// they are fewer, as far as the queries go.
std::int64_t last_rows_of(std::int64_t length, const LayerShape& layer) {
  const std::int64_t most = std::min(report::kLastRows, length / 2);
  return std::clamp<std::int64_t>(layer.row_of(length) + 1, 1, most);
}

/// Whether the rows of a length see as many tokens in every head of every layer.
bool see_alike(const ActivationShape& shape) {
  if (shape.mask_words.find(report::kRecordedMask) != std::string::npos) return false;
  const auto reach_of = [](const LayerShape& layer) {
    std::vector<std::int64_t> most = {layer.queries, layer.keys};
    for (const LayerShape::Reach& row : layer.rows) most.push_back(row.most);
    return most;
  };
  return std::ranges::all_of(shape.layers, [&](const LayerShape& layer) {
    return reach_of(layer) == reach_of(shape.layers.front());
  });
}

/// How many last rows of each length every layer has; one where rows differ in what they see, for
/// then only that of the length has the same N in every head.
std::vector<std::int64_t> last_rows_of(const std::vector<std::int64_t>& lengths,
                                       const ActivationShape& shape) {
  const bool are_alike = see_alike(shape);
  std::vector<std::int64_t> rows;
  for (const std::int64_t length : lengths) {
    std::int64_t& least = rows.emplace_back(are_alike ? report::kLastRows : 1);
    for (const LayerShape& layer : shape.layers) {
      least = std::min(least, last_rows_of(length, layer));
    }
  }
  return rows;
}

/// The selected rows, of those that see more than one token in some layer, and those that the
/// figures against L need. A layer of fewer queries has fewer of them.
std::vector<std::int64_t> rows_of(const RowSelection& selection,
                                  const std::vector<std::int64_t>& lengths,
                                  const ActivationShape& shape) {
  const std::int64_t queries = shape.queries();
  std::set<std::int64_t> rows;
  for (std::int64_t row = 0; !selection.last_only && row < queries; row += selection.stride) {
    rows.insert(row);
  }
  for (const LayerShape& layer : shape.layers) {
    rows.insert(layer.queries - 1);
    for (const std::int64_t length : lengths) {
      if (!layer.has_length(length)) continue;
      for (std::int64_t before = 0; before < last_rows_of(length, layer); ++before) {
        rows.insert(layer.row_of(length) - before);
      }
    }
  }
  std::erase_if(rows, [&](std::int64_t row) { return !shape.sees_two(row); });
  return {rows.begin(), rows.end()};
}

report::RunInfo provenance_of(const RunOptions& options, const report::Processes& processes) {
  report::RunInfo provenance =
      report::collect_provenance(options.seed, report::Effort::none, processes, blas_name());
  provenance.libraries["libtorch"] = libtorch_name();
  provenance.libraries["icu"] = icu_version();
  provenance.model = {.name = options.source->model_name(), .sha256 = options.source->sha256()};
  provenance.text_sha256 = options.text_sha256;
  provenance.shard = options.shard;
  return provenance;
}

/// Writes the report of a whole run; the exit code.
int finish(report::Report report, const RunOptions& options) {
  report::complete(report);
  report::write_rendered(options.out, report, {{"report.json", report::report_text(report)}});
  const bool colour = report::wants_colour(stdout);
  if (options.verbose) fmt::print("{}", report::console_tables(report, colour));
  fmt::print("{}", report::console_text(report, colour, (options.out / "index.html").string()));
  return report::exit_code(report);
}

void add_set_sizes(report::Report& report, const RunOptions& options) {
  if (!options.set_sizes) return;
  ProgressLine progress;
  report.inputs.front().set_sizes =
      options.set_sizes([&](std::uint64_t done, std::uint64_t at_most) {
        progress.update("passes of experiment 6", done, at_most);
      });
}

/// What a source shows, under the name of the input of a run.
report::WindowResult under_the_name(report::WindowResult result, const ActivationSource& source,
                                    const RunOptions& options) {
  const std::string replay = options.command + " --out DIR";
  for (report::ClaimRecord& record : result.claims) {
    record.input = options.input;
    record.replay = replay;
    for (report::MutantRecord& mutant : record.mutants) mutant.replay = replay;
  }
  for (report::ComparisonRecord& record : result.comparisons) record.input = options.input;
  report::Measurements& measured = result.measured;
  measured.input = options.input;
  measured.model_sha256 = source.sha256();
  measured.text_sha256 = options.text_sha256;
  measured.precision = options.precision;
  measured.tokens_sha256 = options.tokens_sha256;
  return result;
}

/// Checks one source, in one process, and writes the report: the exit code.
int run_source(const RunOptions& options, const CheckSettings& settings) {
  report::RunInfo provenance = provenance_of(
      options, {.threads = static_cast<unsigned>(options.threads), .processors = processor()});
  const auto start = std::chrono::steady_clock::now();
  report::WindowFold fold(options.seed);
  {
    ProgressLine progress;
    const auto show = [&](std::int64_t done, std::int64_t all) {
      progress.update("heads", static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all));
    };
    show(0, options.source->shape().heads());
    fold.add(
        under_the_name(check_window(*options.source, settings, show), *options.source, options));
  }
  report::Report report = fold.report();
  add_set_sizes(report, options);
  provenance.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.provenance = std::move(provenance);
  return finish(std::move(report), options);
}

/// The windows of a text, each a unit of work.
class WindowUnits {
 public:
  /// `options` and `settings` must outlive it. `windows`: counted from 0, ascending.
  WindowUnits(const RunOptions& options, const CheckSettings& settings,
              std::vector<std::uint64_t> windows)
      : options_(options), settings_(settings), windows_(std::move(windows)) {}

  /// Every window, in order.
  [[nodiscard]] std::vector<units::Unit> whole() const {
    std::vector<units::Unit> units;
    for (const std::uint64_t window : windows_) {
      units.push_back({fmt::format("window {}", window + 1), fmt::format("[{}]", window)});
    }
    return units;
  }

  /// The result of a unit. A window draws from a seed of its own, the first from that of the run.
  units::Result compute(const std::string& input) {
    one_thread();
    const auto window = nlohmann::json::parse(input).at(0).get<std::uint64_t>();
    CheckSettings settings = settings_;
    settings.measures.seed += window;
    const TextWindows& text = *options_.windows;
    const auto source = text.source(window);
    const auto show = [this](std::int64_t done, std::int64_t all) { show_heads(done, all); };
    report::WindowResult result =
        under_the_name(check_window(*source, settings, show), *source, options_);
    report::name_window(result, window + 1, {.count = text.count, .tokens_left = text.tokens_left});
    return {report::text_of(result)};
  }

  /// Shows that so many windows are done, by whatever rank.
  void show_done(std::uint64_t windows) {
    done_ = windows;
    show_heads(0, options_.source->shape().heads());
  }

 private:
  void show_heads(std::int64_t done, std::int64_t all) {
    const auto heads = static_cast<std::uint64_t>(all);
    progress_.update("heads", done_ * heads + static_cast<std::uint64_t>(done),
                     windows_.size() * heads);
  }

  const RunOptions& options_;
  const CheckSettings& settings_;
  std::vector<std::uint64_t> windows_;
  std::atomic<std::uint64_t> done_{0};
  ProgressLine progress_;
};

/// The windows that a run checks, counted from 0.
std::vector<std::uint64_t> windows_to_check(const RunOptions& options) {
  const report::Shard shard = options.shard.value_or(report::Shard{1, 1});
  std::vector<std::uint64_t> windows;
  for (std::uint64_t w = shard.index - 1; w < options.windows->count; w += shard.count) {
    windows.push_back(w);
  }
  return windows;
}

void check_spread(std::uint64_t windows, std::uint64_t over, std::string_view what) {
  if (windows >= over) return;
  throw BadInput({.kind = BadInputKind::too_large,
                  .where = fmt::format("{} {}", over, what),
                  .expected = fmt::format("no more than there are windows, {}", windows),
                  .found = fmt::format("{}", over),
                  .advice = fmt::format("start fewer {}, or give more --windows", what)});
}

/// What a run over windows depends on.
units::Identity identity_of(const RunOptions& options) {
  units::Identity identity = units::identity_of(options.command);
  identity["model"] = options.source->sha256();
  identity["tokens"] = options.tokens_sha256;
  if (options.shard) {
    identity["shard"] = fmt::format("{}/{}", options.shard->index, options.shard->count);
  }
  return identity;
}

/// Writes the part of a report that a shard is; `report merge` joins it with the others.
int finish_shard(const report::Report& report, const std::vector<units::Unit>& windows,
                 const units::ResultJournal& parts, const RunOptions& options) {
  auto at = windows.begin();
  report::write_shard(options.out / "report.json", report, [&]() -> std::optional<std::string> {
    if (at == windows.end()) return {};
    return parts.result(at++->name);
  });
  fmt::print("Shard {} of {}: {} windows. Join the shards: report merge\n", options.shard->index,
             options.shard->count, windows.size());
  return kAsExpected;
}

int run_windows(const RunOptions& options, const CheckSettings& settings,
                units::Messages& messages) {
  if (options.shard) check_spread(options.windows->count, options.shard->count, "shards");
  const std::vector<std::uint64_t> windows = windows_to_check(options);
  check_spread(windows.size(), messages.count(), "ranks");
  const units::Identity identity = identity_of(options);
  units::Team team(messages, 1, identity, static_cast<unsigned>(options.threads));
  WindowUnits units(options, settings, windows);
  const units::Compute compute = [&](const std::string& unit) { return units.compute(unit); };
  if (!team.leads()) {
    team.follow(compute);
    return kAsExpected;
  }
  report::RunInfo provenance = provenance_of(
      options, {.ranks = team.ranks(), .threads = team.threads(), .processors = team.processors()});
  units::ResultJournal parts(options.out, identity, options.resume);
  const std::size_t kept = parts.units().size();
  if (kept > 0) fmt::print("resumed with {} windows that were kept\n", kept);
  report::WindowFold fold(options.seed);
  report::Report report;
  units::InOrder in_order(units.whole(), parts, [&](std::size_t, const std::string& text) {
    if (!options.shard) fold.add(report::window_from(text));
    units.show_done(parts.units().size());
  });
  units.show_done(kept);
  team.lead(in_order.plan(), parts, compute);
  if (!options.shard) {
    report = fold.report();
    add_set_sizes(report, options);
  }
  provenance.seconds = parts.seconds();
  report.provenance = std::move(provenance);
  const int code = parts.written([&] {
    return options.shard ? finish_shard(report, units.whole(), parts, options)
                         : finish(std::move(report), options);
  });
  parts.remove();
  return code;
}

/// The lengths of each layer that has values, those that only some have among them.
std::vector<std::int64_t> lengths_of_layers(const RunOptions& options,
                                            const ActivationShape& shape) {
  std::set<std::int64_t> lengths;
  for (const LayerShape& layer : shape.layers) {
    if (!layer.has_values()) continue;
    const std::vector<std::int64_t> of_layer = lengths_of(options, {{layer}});
    lengths.insert(of_layer.begin(), of_layer.end());
  }
  return {lengths.begin(), lengths.end()};
}

/// What a run checks and measures of every head: what was asked for, and the defaults.
CheckSettings settings_of(const RunOptions& options, const ActivationShape& shape) {
  // Without embeddings there is no distance to measure; the figures against L are of all heads.
  const bool any_values = shape.any(&LayerShape::has_values);
  const bool all_values = any_values && shape.common(&LayerShape::has_values);
  const std::vector<std::int64_t> lengths = lengths_of(options, shape);
  const std::vector<std::int64_t> of_layers = lengths_of_layers(options, shape);
  // As are those without the first token, of which two must be left.
  const std::int64_t least = std::ranges::min(shape.layers, {}, &LayerShape::tokens).tokens();
  return {.stage = options.stage,
          .measures = {.selection = {.rows = rows_of(options.rows, of_layers, shape),
                                     .counts = any_values ? top_n_of(options, shape.longest_row())
                                                          : std::vector<std::size_t>{},
                                     .draws = kDraws,
                                     .shown_draws = kShownDraws},
                       .lengths = all_values ? lengths : std::vector<std::int64_t>{},
                       .last_rows =
                           all_values ? last_rows_of(lengths, shape) : std::vector<std::int64_t>{},
                       .temperatures = gradient_temperatures(options, shape),
                       .seed = options.seed,
                       .without_first = least >= 3},
          .lengths = of_layers,
          .temperatures = options.temperatures};
}

}  // namespace

int run(const RunOptions& options, units::Messages& messages) {
  check_machine_assumptions();
  const CheckSettings settings = settings_of(options, options.source->shape());
  if (options.windows) return run_windows(options, settings, messages);
  check_spread(1, messages.count(), "ranks");
  return run_source(options, settings);
}

}  // namespace attn::gpt2
