#include "gpt2_check/experiments/expected_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpt2_check/experiments/tests/plain_experiments.hpp"

namespace attn::gpt2 {
namespace {

struct SinkRow {
  std::vector<double> weights;
  Rows x;  ///< two more than the row sees
};

/// One token has half of the weight, as a sink has.
SinkRow sink_row(std::size_t tokens, Eigen::Index width) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  SinkRow sample{.weights = {},
                 .x = Rows::NullaryExpr(static_cast<Eigen::Index>(tokens) + 2, width,
                                        [&] { return normal(engine); })};
  for (std::size_t i = 0; i < tokens; ++i) sample.weights.push_back(std::exp(normal(engine)));
  const double sum = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  for (double& weight : sample.weights) weight /= 2 * sum;
  sample.weights.front() += 0.5;
  return sample;
}

/// E[D] by going through every set of n tokens.
double enumerated(const Rows& y, std::size_t n) {
  const auto tokens = static_cast<std::size_t>(y.rows());
  std::vector<bool> chosen(tokens, false);
  std::fill_n(chosen.begin(), n, true);
  double sum = 0, count = 0;
  do {
    plain::Set set;
    for (std::size_t i = 0; i < tokens; ++i) {
      if (chosen[i]) set.push_back(i);
    }
    sum += plain::distance(y, set);
    ++count;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return sum / count;
}

TEST(RowDistances, AreThoseOfTheDefinitions) {
  const SinkRow sample = sink_row(11, 4);
  const RowDistances row(sample.weights, sample.x);
  const Rows y = plain::outputs({.x = sample.x}, sample.weights);
  for (std::size_t n = 1; n < 11; ++n) {
    const plain::Set set = plain::top(sample.weights, n);
    EXPECT_NEAR(row.distance(set), plain::distance(y, set), 1e-12);
    for (const double factor : {0.3, 1.0}) {
      EXPECT_NEAR(row.sum_about_others(n, factor), plain::expected_distance(y, n, factor), 1e-12);
    }
  }
}

/// The error of the sampled mean falls as the orders grow, and it is above its proved lower bound.
TEST(ExpectedDistance, ComesToTheMeanOverAllSets) {
  const SinkRow sample = sink_row(9, 3);
  const RowDistances row(sample.weights, sample.x);
  const Rows y = plain::outputs({.x = sample.x}, sample.weights);
  const std::vector<std::size_t> counts = {1, 3, 6, 8};
  std::mt19937_64 stream(7);
  const std::vector<double> found = row.expected(counts, 4000, stream);
  ASSERT_EQ(found.size(), counts.size());
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const double expected = enumerated(y, counts[c]);
    EXPECT_NEAR(found[c], expected, 0.02 * expected) << counts[c];
    const double factor = static_cast<double>(counts[c]) / 8;
    EXPECT_GT(found[c], 0.98 * row.sum_about_others(counts[c], factor)) << counts[c];
  }
}

/// Between the N that are sampled it is interpolated.
TEST(ExpectedDistance, OfAllNIsNearThatOfEach) {
  const SinkRow sample = sink_row(60, 3);
  const RowDistances row(sample.weights, sample.x);
  std::mt19937_64 stream(8);
  const std::vector<double> all = row.expected_of_all(2000, stream);
  ASSERT_EQ(all.size(), 59U);
  std::vector<std::size_t> counts(59);
  std::iota(counts.begin(), counts.end(), std::size_t{1});
  const std::vector<double> each = row.expected(counts, 2000, stream);
  for (std::size_t n = 1; n < 60; ++n)
    EXPECT_NEAR(all[n - 1], each[n - 1], 0.03 * each[n - 1]) << n;
  EXPECT_EQ(RowDistances(std::vector<double>{0.5, 0.5}, sample.x).expected_of_all(1, stream).size(),
            1U);
}

}  // namespace
}  // namespace attn::gpt2
