// The experiments and the claims on one random head of GPT-2's shape, and the forward pass of a
// random GPT-2 124M, by one thread, each beside its floor: what its matrix products and its
// operations on elements would take at the rates that this machine has for them alone, measured in
// the same run.
#include <ATen/core/Tensor.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/experiments/head_measures.hpp"
#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/set_pass.hpp"
#include "gpt2_check/model/gpt2.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/head_check.hpp"
#include "gpt2_check/rows/window_check.hpp"
#include "gpt2_check/tests/random_head.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

constexpr Eigen::Index kTokens = 1024, kWidth = 64;

/// L, N and T of the paper's figures.
const std::vector<std::int64_t> kLengths = {32, 64, 128, 256, 512, kTokens};
const std::vector<std::size_t> kCounts = {1, 5, 10, 20, 100};
const std::vector<double> kTemperatures = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 8.0, 10.0};

/// Operations that cannot be saved; or seconds that one of them takes.
struct Work {
  double products{};      ///< multiply-adds of matrix products
  double roots{};         ///< sum of sqrt(a_i)
  double exponentials{};  ///< sum of exp(a_i)
  double divisions{};     ///< sum of a_i / b_i
  double elements{};      ///< a_i += f b_i, a minimum or a read of a matrix
};

Work operator+(const Work& a, const Work& b) {
  return {a.products + b.products, a.roots + b.roots, a.exponentials + b.exponentials,
          a.divisions + b.divisions, a.elements + b.elements};
}

ATTN_EACH_VECTOR_WIDTH double sum_of_roots(const double* a, std::size_t size) {
  Lanes sum;
  in_lanes(size, [&](std::size_t i, std::size_t lane) { sum.at[lane] += std::sqrt(a[i]); });
  return sum.sum();
}

ATTN_EACH_VECTOR_WIDTH double sum_of_quotients(const double* a, const double* b, std::size_t size) {
  Lanes sum;
  in_lanes(size, [&](std::size_t i, std::size_t lane) { sum.at[lane] += a[i] / b[i]; });
  return sum.sum();
}

ATTN_EACH_VECTOR_WIDTH double sum_of_exponentials(const double* a, std::size_t size) {
  Lanes sum;
  in_lanes(size, [&](std::size_t i, std::size_t lane) { sum.at[lane] += reproducible::exp(a[i]); });
  return sum.sum();
}

/// Seconds of one of `count` operations that `call` does: the least of many calls, since other work
/// of the machine only adds time.
template <class Call>
double seconds_of(double count, const Call& call) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 200; ++i) {
    const Clock::time_point start = Clock::now();
    benchmark::DoNotOptimize(call());
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least / count;
}

Work measured_rates() {
  std::vector<double> a(kTokens, 0.75), b(kTokens, 0.5);
  const Rows sums = Rows::Constant(128, kWidth, 0.5), tokens = Rows::Constant(kTokens, kWidth, 0.5);
  const auto size = static_cast<double>(kTokens);
  const std::size_t first = 0;
  return {
      .products = seconds_of(static_cast<double>(sums.rows() * kTokens * kWidth),
                             [&] { return times_transposed(sums, tokens)(0, 0); }),
      .roots = seconds_of(size, [&] { return sum_of_roots(a.data(), a.size()); }),
      .exponentials = seconds_of(size, [&] { return sum_of_exponentials(a.data(), a.size()); }),
      .divisions = seconds_of(size, [&] { return sum_of_quotients(a.data(), b.data(), a.size()); }),
      .elements = seconds_of(size, [&] {
        add_tokens(b.data(), b.data(), std::span(&first, 1), b.size(), a.data());
        return a[0];
      })};
}

double floor_of(const Work& work) {
  static const Work rates = measured_rates();
  return work.products * rates.products + work.roots * rates.roots +
         work.exponentials * rates.exponentials + work.divisions * rates.divisions +
         work.elements * rates.elements;
}

/// The tokens that all rows of a head of so many tokens see together.
double all_tokens(double tokens) {
  return tokens * (tokens + 1) / 2;
}

/// The paper's L that a head of so many tokens has.
std::vector<std::int64_t> lengths_up_to(std::int64_t tokens) {
  return {kLengths.begin(), std::ranges::upper_bound(kLengths, tokens)};
}

SelectionSettings settings_of_all_rows(std::int64_t tokens) {
  SelectionSettings settings{.rows = rows_from_second(tokens),
                             .counts = kCounts,
                             .draws = kDraws,
                             .shown_draws = kShownDraws};
  for (const std::int64_t length : lengths_up_to(tokens)) settings.shown.push_back(length - 1);
  return settings;
}

MeasureSettings measure_settings(std::int64_t tokens) {
  return {.selection = settings_of_all_rows(tokens),
          .lengths = lengths_up_to(tokens),
          .temperatures = kTemperatures,
          .seed = 1};
}

// What is timed, and the work in it.

/// Experiments 1, 2 and 4: D, its bounds, N_s/N, random sets.
void every_row(const Head& head) {
  std::mt19937_64 stream(1);
  for_each_row(head, head.temperature, settings_of_all_rows(head.keys()), stream,
               [](const RowSelections& row) { benchmark::DoNotOptimize(row.measures.data()); });
}

/// Logits and distances of all pairs of tokens; x . s of every set and roots of two sums for each;
/// a minimum for each random set of more than one token.
Work work_of_every_row(double tokens) {
  const double all = all_tokens(tokens);
  const auto sets = static_cast<double>(kCounts.size());
  const double random_sets = kDraws * (sets - 1);
  const auto most = static_cast<double>(kCounts.back());
  return {.products = all * kWidth * (2 + sets + random_sets),
          .roots = 2 * sets * all,
          .exponentials = all,
          .elements = all * (random_sets + 1) + tokens * (1.0 + kDraws) * most * kWidth};
}

/// Experiment 3: every N of the rows of the lengths.
void critical_n(const Head& head) {
  for (const std::int64_t length : lengths_up_to(head.keys())) {
    const Rows logits = times_transposed(head.q.row(length - 1), head.k.topRows(length));
    std::vector<double> weights(static_cast<std::size_t>(length));
    softmax({logits.data(), weights.size()}, head.temperature, weights);
    const std::vector<std::size_t> order = largest(weights, weights.size());
    benchmark::DoNotOptimize(sweep_row({&weights, 1}, order, head.x).data());
  }
}

/// x_i . x_j of all pairs, which bring x_i . s from one N to the next; roots for D and both
/// readings of E.
Work work_of_critical_n(double tokens) {
  Work work;
  for (const std::int64_t each : lengths_up_to(static_cast<std::int64_t>(tokens))) {
    const auto length = static_cast<double>(each);
    work = work + Work{.products = length * length * kWidth / 2,
                       .roots = 1.5 * length * length,
                       .exponentials = length,
                       .elements = length * length / 2 + 4 * length * kWidth};
  }
  return work;
}

/// Experiment 5.
void gradient(const Head& head) {
  GradientMeasure measure(head, kTemperatures, 1);
  LogitRows logits(head);
  for (const std::int64_t row : rows_from_second(head.keys())) {
    measure.add(row, logits.at(row));
  }
  benchmark::DoNotOptimize(std::move(measure).result().data());
}

/// Logits; an exponential and a step of the secular equation for each token and T.
Work work_of_gradient(double tokens) {
  const double seen = all_tokens(tokens) * static_cast<double>(kTemperatures.size());
  return {.products = all_tokens(tokens) * kWidth, .exponentials = seen, .divisions = seen};
}

/// All experiments, with and without the first token and on the logits of nine normalisers.
void whole_head(const Head& head) {
  benchmark::DoNotOptimize(
      measure_head(head, measure_settings(head.keys()), [](const RowSelections&) {}));
}

Work work_of_whole_head(double tokens) {
  Work once = work_of_every_row(tokens) + work_of_critical_n(tokens) + work_of_gradient(tokens);
  once.products -= all_tokens(tokens) * kWidth;  // all read the same logits
  Work work = once + once;
  // The sets drawn for the whole head serve both.
  constexpr double kDrawn = kDraws;
  const double sets = kDrawn * static_cast<double>(kCounts.size() - 1) * all_tokens(tokens);
  work.products -= sets * kWidth;
  work.elements -= sets + tokens * kDrawn * static_cast<double>(kCounts.back()) * kWidth;
  // The sweeps over the weights of normalisers read the same products of tokens.
  Work sweep = work_of_critical_n(tokens);
  sweep.products = 0;
  for (int i = 0; i < 2 * 9; ++i) work = work + sweep;
  return work;
}

/// The claims of every row, beside what the experiments have of it: its output, and what the tokens
/// outside two sets add up to. Of a token: expm1 of how far its logit is behind the largest, and
/// quotients for that, for its weight and its error, and for two signs of the secular function. Of
/// a token and a set: three roots of the random sets, eight quotients (two terms, their errors, and
/// those of the four distances they are made of); of the largest N two comparisons with each. Of an
/// expectation 64 draws, or as many as there are sets. What is decided exactly, of a few rows, is
/// not counted.
Work work_of_claims(double tokens) {
  const double all = all_tokens(tokens);
  const auto sets = static_cast<double>(kCounts.size());
  double selected = 0;
  for (const std::size_t count : kCounts) selected += static_cast<double>(count);
  constexpr double kDrawsOfExpectation = 64;
  double lengths = 0;
  for (const std::int64_t length : lengths_up_to(static_cast<std::int64_t>(tokens))) {
    lengths += static_cast<double>(length);
  }
  return {.products = 3 * all * kWidth + kDrawsOfExpectation * sets * lengths * kWidth,
          .roots = 3 * sets * all,
          .exponentials = all,
          .divisions = (5 + 8 * 2 * sets) * all,
          .elements = 2 * all * selected};
}

void report_floor(benchmark::State& state, double floor) {
  using benchmark::Counter;
  const auto times = static_cast<double>(state.iterations());
  state.counters["floor_s"] = floor;
  state.counters["times_floor"] =
      Counter(times * floor, Counter::kIsRate | Counter::kInvert);  // seconds a floor second
}

void time(benchmark::State& state, void (*run)(const Head&), Work (*work)(double)) {
  set_threads(1);
  const Head head = random_head(kTokens, kWidth, kWidth, 1, 1);
  for (auto _ : state) run(head);
  report_floor(state, floor_of(work(kTokens)));
}

/// What a run does with a head of so many tokens and coordinates: all experiments, and every claim
/// on every row.
void time_head(benchmark::State& state, std::int64_t tokens, Eigen::Index width) {
  set_threads(1);
  LayerRows layer;
  layer.temperature = std::sqrt(static_cast<double>(width));
  for (at::Tensor* const rows : {&layer.q, &layer.k, &layer.v}) {
    *rows = at::randn({tokens, 1, width}, at::kDouble);
  }
  CheckSettings settings;
  settings.measures = measure_settings(tokens);
  settings.lengths = settings.measures.lengths;
  const std::vector<const Claim*> claims = row_claims();
  for (auto _ : state)
    benchmark::DoNotOptimize(check_head(layer, 0, settings, claims).tallies.data());
}

void checked_head(benchmark::State& state) {
  time_head(state, state.range(0), kWidth);
  state.SetComplexityN(state.range(0));
  const auto tokens = static_cast<double>(state.range(0));
  report_floor(state, floor_of(work_of_whole_head(tokens) + work_of_claims(tokens)));
}

void checked_width(benchmark::State& state) {
  time_head(state, kTokens, state.range(0));
}

/// Logits and patterns of all heads, the four linear maps of a layer, and the logits of all words.
double products_of_forward(const Config& config, double tokens) {
  const auto width = static_cast<double>(config.width);
  const double of_layer = 2 * tokens * tokens * width +
                          tokens * width * (4 * width + 2 * static_cast<double>(config.inner));
  return static_cast<double>(config.layers) * of_layer +
         tokens * width * static_cast<double>(config.vocabulary);
}

void forward_pass(benchmark::State& state) {
  set_threads(1);
  const Config config = gpt2_124m();
  const Weights weights = random_weights(config, 1);
  const at::Tensor tokens = at::randint(config.vocabulary, {kTokens}, at::kLong);
  const at::Tensor rows = at::randn({128, config.width}),
                   map = at::randn({config.width, config.inner});
  const double of_product = seconds_of(static_cast<double>(rows.numel() * config.inner),
                                       [&] { return at::matmul(rows, map); });
  for (auto _ : state) benchmark::DoNotOptimize(forward(config, weights, tokens));
  report_floor(state, of_product * products_of_forward(config, kTokens));
}

BENCHMARK_CAPTURE(time, every_row, every_row, work_of_every_row)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(time, critical_n, critical_n, work_of_critical_n)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(time, gradient, gradient, work_of_gradient)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(time, whole_head, whole_head, work_of_whole_head)->Unit(benchmark::kMillisecond);
BENCHMARK(forward_pass)->Unit(benchmark::kMillisecond);
BENCHMARK(checked_head)
    ->RangeMultiplier(2)
    ->Range(256, 2048)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNSquared);
BENCHMARK(checked_width)->RangeMultiplier(2)->Range(16, 256)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attn::gpt2

BENCHMARK_MAIN();
