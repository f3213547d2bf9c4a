#include "gpt2_check/bench/timed_experiments.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

#include "gpt2_check/experiments/head_measures.hpp"
#include "gpt2_check/heads/largest.hpp"
#include "gpt2_check/heads/matrix.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kWidth = static_cast<double>(kHeadWidth);
constexpr std::size_t kFigureN = 5;

/// L, N and T of the paper's figures.
std::vector<std::int64_t> lengths_of(double tokens) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t length = 32; static_cast<double>(length) < tokens; length *= 2) {
    lengths.push_back(length);
  }
  lengths.push_back(static_cast<std::int64_t>(tokens));
  return lengths;
}

std::vector<std::size_t> counts_of(double tokens) {
  std::vector<std::size_t> counts = {1, 5, 10, 20, 100};
  std::erase_if(counts, [&](std::size_t n) { return static_cast<double>(n) >= tokens; });
  return counts;
}

const std::vector<double>& temperatures() {
  static const std::vector<double> all = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 8.0, 10.0};
  return all;
}

double tokens_of(const Head& head) {
  return static_cast<double>(head.positions());
}

std::vector<std::int64_t> rows_from_second(const Head& head) {
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 1; row < head.positions(); ++row) rows.push_back(row);
  return rows;
}

std::vector<std::int64_t> last_rows(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> rows;
  rows.reserve(lengths.size());
  for (const std::int64_t length : lengths) rows.push_back(length - 1);
  return rows;
}

double sum_of(const std::vector<std::int64_t>& lengths, const std::function<double(double)>& term) {
  double sum = 0;
  for (const std::int64_t length : lengths) sum += term(static_cast<double>(length));
  return sum;
}

/// Tokens of all rows: sum of L over the rows.
double all_tokens(double tokens) {
  return tokens * (tokens + 1) / 2;
}

// What is timed.

void pass_over_rows(const Head& head, const SelectionPlan& plan) {
  std::mt19937_64 stream(1);
  for_each_row(head, head.temperature, plan, stream,
               [](const RowSelections& row) { benchmark::DoNotOptimize(row.measures.data()); });
}

void distance_by_length(const Head& head) {
  pass_over_rows(head, {.rows = last_rows(lengths_of(tokens_of(head))), .counts = {kFigureN}});
}

void distance_by_n(const Head& head) {
  pass_over_rows(head, {.rows = {head.positions() - 1}, .counts = counts_of(tokens_of(head))});
}

void every_n(const Head& head) {
  for (const std::int64_t length : lengths_of(tokens_of(head))) {
    const Rows logits = times_transposed(head.q.row(length - 1), head.k.topRows(length));
    std::vector<double> weights(static_cast<std::size_t>(length));
    softmax({logits.data(), weights.size()}, head.temperature, weights);
    benchmark::DoNotOptimize(sweep_row(weights, largest(weights, weights.size()), head.x));
  }
}

SelectionPlan plan_of_all_rows(const Head& head) {
  return {.rows = rows_from_second(head),
          .counts = counts_of(tokens_of(head)),
          .draws = kDraws,
          .shown = last_rows(lengths_of(tokens_of(head))),
          .shown_draws = kShownDraws};
}

void pass_over_all_rows(const Head& head) {
  pass_over_rows(head, plan_of_all_rows(head));
}

void gradient(const Head& head) {
  benchmark::DoNotOptimize(measure_gradient(head, rows_from_second(head), temperatures(), 1));
}

// The work in it.

ProductWork product(double m, double n, double flops) {
  const auto size = [](double x) { return std::max(1, static_cast<int>(x)); };
  return {size(m), size(n), static_cast<int>(kHeadWidth), flops};
}

/// The logits of all rows, or the products of all pairs of embeddings, in blocks of rows.
Work work_of_pairs(double tokens) {
  constexpr double kBlock = 32;
  Work work;
  work.products = {product(kBlock, tokens / 2, 2 * all_tokens(tokens) * kWidth)};
  return work;
}

/// One pass over rows with `seen` tokens in all: D, the sharp bound, both readings of E and d1 for
/// each N, and the random sets with more than one token. d1 needs each pair of tokens once.
Work work_of_pass(double tokens, double rows, double seen, std::size_t draws) {
  const std::vector<std::size_t> counts = counts_of(tokens);
  const auto sets = static_cast<double>(counts.size());
  const auto random_sets = static_cast<double>(draws) * (sets - 1);
  const auto most = static_cast<double>(counts.back());
  // The product of a block of sums with the embeddings has about this many entries.
  constexpr double kBlock = 1 << 17;
  Work work = 2 * work_of_pairs(tokens);
  work.products.push_back(
      product(kBlock / tokens, tokens, (1 + sets + random_sets) * 2 * seen * kWidth));
  work[Elementwise::exponential] = seen;
  work[Elementwise::square_root] = (3 * sets + 1) * seen;
  work[Elementwise::minimum] = random_sets * seen;
  work[Elementwise::multiply_add] =
      seen * kWidth + rows * (1 + static_cast<double>(draws)) * most * kWidth;
  work[Elementwise::read] = all_tokens(tokens);
  return work;
}

Work work_of_all_rows(double tokens) {
  return work_of_pass(tokens, tokens, all_tokens(tokens), kDraws);
}

Work work_of_every_n(double tokens) {
  Work work;
  for (const std::int64_t each : lengths_of(tokens)) {
    const auto length = static_cast<double>(each);
    // Each N needs the products of s with the tokens outside.
    work.products.push_back(product(64, length / 2, length * length * kWidth));
    work[Elementwise::multiply_add] += 4 * length * kWidth;  // logits, y, sums, y . o
    work[Elementwise::exponential] += length;
    work[Elementwise::square_root] += 1.5 * length * length;
  }
  return work;
}

Work work_of_gradient(double tokens) {
  Work work = work_of_pairs(tokens);
  const double seen = all_tokens(tokens) * static_cast<double>(temperatures().size());
  work[Elementwise::exponential] = seen;
  work[Elementwise::division] = seen;  // one step of the secular equation
  return work;
}

}  // namespace

std::vector<TimedExperiment> timed_experiments() {
  return {{.id = "distance_by_length",
           .title = "1 distance by L",
           .run = distance_by_length,
           .work =
               [](double tokens) {
                 Work work = 2 * work_of_pairs(tokens);
                 work[Elementwise::square_root] =
                     4 * sum_of(lengths_of(tokens), [](double length) { return length; });
                 work[Elementwise::read] = all_tokens(tokens);
                 return work;
               },
           .counts = false},
          {.id = "distance_by_n",
           .title = "2 distance by N",
           .run = distance_by_n,
           .work = [](double tokens) { return work_of_pass(tokens, 1, tokens, 0); },
           .counts = false},
          {.id = "critical_n", .title = "3 critical N", .run = every_n, .work = work_of_every_n},
          {.id = "every_row",
           .title = "1, 2, 4, every row",
           .run = pass_over_all_rows,
           .work = work_of_all_rows},
          {.id = "gradient", .title = "5 gradient", .run = gradient, .work = work_of_gradient}};
}

void measure_everything(const Head& head) {
  const double tokens = tokens_of(head);
  const MeasurePlan plan{.selection = plan_of_all_rows(head),
                         .lengths = lengths_of(tokens),
                         .temperatures = temperatures(),
                         .seed = 1};
  benchmark::DoNotOptimize(measure_head(head, plan, [](const RowSelections&) {}));
}

void test_every_n(double tokens, std::size_t heads) {
  for (const std::int64_t length : lengths_of(tokens)) {
    Rows distance(static_cast<Eigen::Index>(heads), length - 1);
    for (Eigen::Index h = 0; h < distance.rows(); ++h) {
      distance.row(h).setConstant(static_cast<double>(h));
    }
    const Rows expected = distance.array() + static_cast<double>(heads);
    for (int reading = 0; reading < 2; ++reading) {
      benchmark::DoNotOptimize(critical_n(distance, expected, 0.01));
    }
  }
}

Work work_of_tests(double tokens, std::size_t heads) {
  Work work;
  const auto samples = static_cast<double>(heads);
  // D and E of two readings; one count of paths.
  work[Elementwise::read] =
      4 * samples * sum_of(lengths_of(tokens), [](double length) { return length - 1; });
  work[Elementwise::division] = samples * samples;
  return work;
}

}  // namespace attn::gpt2
