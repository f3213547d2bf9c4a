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

/// p sum_i sqrt(V_i) by going through every set of n tokens that i is not in.
double enumerated_residual(const Rows& y, std::size_t n) {
  const auto tokens = static_cast<std::size_t>(y.rows());
  double sum = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    std::vector<bool> chosen(tokens, false);
    std::fill_n(chosen.begin(), n, true);
    double squares = 0, count = 0;
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(y.cols());
    do {
      if (chosen[i]) continue;
      Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y.cols());
      for (std::size_t j = 0; j < tokens; ++j) {
        if (chosen[j]) s += y.row(static_cast<Eigen::Index>(j));
      }
      squares += s.squaredNorm();
      mean += s;
      ++count;
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    sum += std::sqrt(std::max(0.0, squares / count - (mean / count).squaredNorm()));
  }
  return (1 - static_cast<double>(n) / static_cast<double>(tokens)) * sum;
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

/// E lies between its lower bound and that plus the residual, which is 0 where nothing is left to
/// chance: N = 1 of two tokens, and N = L-1.
TEST(RowDistances, ResidualIsThatOfTheDefinition) {
  const SinkRow sample = sink_row(9, 3);
  const RowDistances row(sample.weights, sample.x);
  const Rows y = plain::outputs({.x = sample.x}, sample.weights);
  for (std::size_t n = 1; n < 9; ++n) {
    const double residual = row.residual(n), factor = static_cast<double>(n) / 8;
    EXPECT_NEAR(residual, enumerated_residual(y, n), 1e-7) << n;  // a root of a difference
    EXPECT_NEAR(residual, plain::residual(y, n), 1e-12) << n;
    const double lower = row.sum_about_others(n, factor), expected = enumerated(y, n);
    EXPECT_GE(expected, lower - 1e-12) << n;
    EXPECT_LE(expected, lower + residual + 1e-12) << n;
  }
  EXPECT_EQ(row.residual(8), 0);
  EXPECT_EQ(RowDistances(std::vector<double>{0.5, 0.5}, sample.x).residual(1), 0);
  // Weights 1/4 and x = 1, 1, -1, -1 at N = 2: of three others two are drawn, whose y are 1/4, -1/4
  // and -1/4 (or their negatives): V = 2 * 1/2 * (1/16 - 1/144) = 1/18.
  Rows x(4, 1);
  x << 1, 1, -1, -1;
  const RowDistances even(std::vector<double>(4, 0.25), x);
  EXPECT_NEAR(even.residual(2), 0.5 * 4 * std::sqrt(1.0 / 18), 1e-15);
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
