#include "gpt2_check/rows/run.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <span>

#include "gpt2_check/rows/stage.hpp"
#include "reports/io/render.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/provenance.hpp"
#include "reports/text/console.hpp"
#include "reports/windows/fold.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/progress.hpp"
#include "theory/number/ground.hpp"

namespace attn::gpt2 {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The lengths and the N of the paper's figures, as far as the sequence allows; below them, for
/// short sequences, more powers of two.
constexpr std::int64_t kLengths[] = {32, 64, 128, 256, 512, 1024};
constexpr std::int64_t kShortLengths[] = {4, 8, 16, 32};
constexpr std::int64_t kTopN[] = {1, 5, 10, 20, 100};

std::vector<std::int64_t> lengths_of(const RunOptions& options, const ActivationShape& shape) {
  if (!options.lengths.empty()) return options.lengths;
  const std::int64_t positions = shape.longest_row();
  std::vector<std::int64_t> lengths;
  const bool is_short = positions <= kLengths[1];
  for (const std::int64_t length : is_short ? std::span<const std::int64_t>(kShortLengths)
                                            : std::span<const std::int64_t>(kLengths)) {
    if (length < positions && shape.has_length(length)) lengths.push_back(length);
  }
  lengths.push_back(positions);
  return lengths;
}

std::vector<std::size_t> top_n_of(const RunOptions& options, std::int64_t positions) {
  std::vector<std::size_t> top_n;
  for (const std::int64_t n : options.top_n) top_n.push_back(static_cast<std::size_t>(n));
  if (!top_n.empty()) return top_n;
  for (const std::int64_t n : kTopN) {
    if (n < positions) top_n.push_back(static_cast<std::size_t>(n));
  }
  return top_n;
}

/// Experiment 5: T from 1e-3 to 10 in half decades, and the temperatures at which the claims are
/// decided.
std::vector<double> gradient_temperatures(const RunOptions& options, const ActivationShape& shape) {
  std::vector<double> temperatures = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0};
  const std::vector<double>& own =
      options.temperatures.empty() ? shape.temperatures : options.temperatures;
  temperatures.insert(temperatures.end(), own.begin(), own.end());
  std::ranges::sort(temperatures);
  const auto repeated = std::ranges::unique(temperatures);
  temperatures.erase(repeated.begin(), repeated.end());
  return temperatures;
}

/// The selected rows, of those that see more than one token, and those that the figures against L
/// need.
std::vector<std::int64_t> rows_of(const RowSelection& selection,
                                  const std::vector<std::int64_t>& lengths,
                                  const ActivationShape& shape) {
  const std::int64_t positions = shape.positions;
  std::vector<std::int64_t> rows = {positions - 1};
  for (std::int64_t row = 0; !selection.last_only && row < positions; row += selection.stride) {
    if (shape.mask.tokens(row, positions) > 1) rows.push_back(row);
  }
  for (const std::int64_t length : lengths) rows.push_back(length - 1);
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

/// The BLAS that is loaded. LibTorch takes whatever Debian's alternatives point to, so only the
/// process itself can tell.
std::string blas_name() {
  using Config = char* (*)();
  const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return config == nullptr ? "not OpenBLAS" : config();
}

CheckPlan plan_of(const RunOptions& options, const ActivationShape& shape) {
  const std::vector<std::int64_t> lengths = lengths_of(options, shape);
  // Without embeddings there is no distance to measure.
  const bool has_sets = shape.has_values || options.embedding == Embedding::hidden;
  return {.stage = options.stage,
          .embedding = options.embedding,
          .measures = {.selection = {.rows = rows_of(options.rows, lengths, shape),
                                     .counts = has_sets ? top_n_of(options, shape.longest_row())
                                                        : std::vector<std::size_t>{},
                                     .rank = options.rank,
                                     .draws = kDraws,
                                     .shown_draws = kShownDraws},
                       .lengths = has_sets ? lengths : std::vector<std::int64_t>{},
                       .temperatures = gradient_temperatures(options, shape),
                       .seed = options.seed},
          .temperatures = options.temperatures};
}

/// One window of several draws from a seed of its own, the first from that of the run.
report::WindowResult check_window_of(const TextWindows& windows, std::uint64_t window,
                                     CheckPlan plan, const Progress& progress) {
  plan.measures.seed += window;
  report::WindowResult result = check_window(*windows.source(window), plan, progress);
  result.window = window + 1;
  result.words = windows.first_words(window);
  if (windows.count > 1) report::name_window(result);
  return result;
}

report::Report check_windows(const TextWindows& windows, const CheckPlan& plan,
                             const Progress& progress) {
  report::WindowFold fold(plan.measures.seed);
  for (std::uint64_t window = 0; window < windows.count; ++window) {
    fold.add(check_window_of(windows, window, plan, [&](std::int64_t done, std::int64_t all) {
      progress(static_cast<std::int64_t>(window) * all + done,
               static_cast<std::int64_t>(windows.count) * all);
    }));
  }
  report::Report report = fold.report();
  report.gpt2->windows->tokens_left = windows.tokens_left;
  return report;
}

}  // namespace

int run(const RunOptions& options) {
  check_ground();
  const Clock::time_point start = Clock::now();
  const ActivationShape shape = options.source->shape();
  const CheckPlan plan = plan_of(options, shape);
  report::Report report;
  {
    ProgressLine progress(ProgressUnit::items);
    const auto show = [&](std::int64_t done, std::int64_t all) {
      progress.update("heads", static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all));
    };
    show(0, shape.layers * shape.heads);
    report = options.windows ? check_windows(*options.windows, plan, show)
                             : check_source(*options.source, plan, show);
  }
  for (report::ClaimRecord& record : report.claims) {
    record.input = options.input;
    record.replay = options.replay;
    for (report::MutantRecord& mutant : record.mutants) mutant.replay = options.replay;
  }
  for (report::ComparisonRecord& record : report.comparisons) record.input = options.input;
  report::Measurements& measured = *report.gpt2;
  measured.input = options.input;
  measured.model_sha256 = options.source->sha256();
  measured.text_sha256 = options.text_sha256;
  measured.precision = options.precision;
  measured.tokens_sha256 = options.tokens_sha256;
  report::Provenance& provenance = report.provenance;
  provenance = report::collect_provenance(options.seed, report::Effort::none,
                                          static_cast<unsigned>(options.threads), blas_name());
  provenance.libraries["libtorch"] = TORCH_VERSION;
  provenance.model = {.name = measured.model, .sha256 = measured.model_sha256};
  provenance.text_sha256 = options.text_sha256;
  provenance.seconds = seconds_since(start);
  report::complete(report);

  std::map<std::string, std::string> files = report::rendered_files(report);
  files["report.json"] = report::report_text(report);
  write_folder(options.out, files);
  fmt::print("{}", report::console_table(report, report::wants_colour(stdout),
                                         (options.out / "index.html").string()));
  return report::exit_code(report);
}

}  // namespace attn::gpt2
