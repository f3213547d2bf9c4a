#include "gpt2_check/experiments/gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "gpt2_check/experiments/tests/plain_experiments.hpp"
#include "gpt2_check/experiments/tests/sample_heads.hpp"
#include "theory/attention/norm/softmax_norm.hpp"

namespace attn::gpt2 {
namespace {

using Weights = std::vector<double>;
using Real = boost::multiprecision::cpp_bin_float_100;

/// The norm of the theory, enclosed to 50 digits, of weights that are doubles.
double proved_norm(Weights weights) {
  using S = Interval;
  std::ranges::sort(weights, std::greater<>());
  SortedWeights<S> w;
  Rational rest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    w.a.push_back(from<S>(Rational(weights[i])));
    if (i > 0) rest += Rational(weights[i]);
  }
  w.rest = from<S>(rest);
  w.top_tied = weights[0] == weights[1];
  const S norm = softmax_jacobian_norm(w);
  return ScalarTraits<S>::middle(norm).convert_to<double>();
}

/// exp(scale normal) over the sum.
Weights draw(std::mt19937_64& engine, std::size_t tokens, double scale) {
  std::normal_distribution<double> normal;
  Weights weights(tokens);
  for (double& weight : weights) weight = std::exp(scale * normal(engine));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

void expect_proved_norm(const Weights& weights, double tolerance = 1e-13) {
  const double expected = proved_norm(weights);
  EXPECT_NEAR(softmax_norm(weights), expected, tolerance * expected)
      << weights.size() << " tokens, the first weight " << weights.front();
}

TEST(SoftmaxNorm, IsTheTheorysOnRandomWeights) {
  std::mt19937_64 engine(17);
  for (const double scale : {0.001, 0.1, 1.0, 5.0, 30.0}) {
    for (const std::size_t tokens : {2U, 3U, 10U, 100U})
      expect_proved_norm(draw(engine, tokens, scale));
  }
  expect_proved_norm(draw(engine, 1024, 2.0));
}

TEST(SoftmaxNorm, IsTheTheorysOnHardWeights) {
  const double above_half = std::nextafter(0.5, 1);
  const double below_half = std::nextafter(0.5, 0);
  expect_proved_norm({above_half, below_half});
  expect_proved_norm({0.25, 0.25, 0.25, std::nextafter(0.25, 1)});
  expect_proved_norm({0.5, 0.5 - 1e-10, 1e-10});
  expect_proved_norm({1e-10, 0.3, 0.3 + 1e-14, 0.4 - 2e-14});
  expect_proved_norm({1 - 1e-9, 1e-9});
  expect_proved_norm({1e-17, 1, 1e-17, 1e-18});
  expect_proved_norm({1, 1e-200, 1e-200, 3e-201});
  expect_proved_norm({1, 0, 0, 1e-290});
  // Poles at every distance from the largest.
  Weights ladder{0.5};
  for (double gap = 1e-16; gap < 0.1; gap *= 10) ladder.push_back(0.5 - gap);
  Weights scaled = ladder;
  for (double& weight : scaled) weight /= std::accumulate(ladder.begin(), ladder.end(), 0.0);
  expect_proved_norm(scaled);
  // A chain of weights, each far below the one before.
  Weights chain{0};
  for (double weight = 1e-3; weight > 1e-60; weight *= 1e-3) chain.push_back(weight);
  chain[0] = 1 - std::accumulate(chain.begin(), chain.end(), 0.0);
  expect_proved_norm(chain);
  // One weight a little above very many.
  Weights crowd(400, 1.0 / 401);
  crowd[200] = 2.0 / 401;
  expect_proved_norm(crowd);
}

TEST(SoftmaxNorm, ClosedForms) {
  EXPECT_EQ(softmax_norm(Weights{0.5, 0.5}), 0.5);
  EXPECT_EQ(softmax_norm(Weights{0.25, 0.25, 0.25, 0.25}), 0.25);
  EXPECT_EQ(softmax_norm(Weights{0.2, 0.4, 0.4}), 0.4);
  EXPECT_EQ(softmax_norm(Weights{1, 0, 0}), 0);
  EXPECT_EQ(softmax_norm(Weights{1}), 0);
  EXPECT_NEAR(softmax_norm(Weights{0.25, 0.75}), 2 * 0.25 * 0.75, 1e-16);
  EXPECT_TRUE(std::isnan(softmax_norm(Weights{0.5, std::numeric_limits<double>::quiet_NaN()})));
}

std::vector<Real> softmax_of(const std::vector<Real>& logits, double temperature) {
  const Real top = *std::ranges::max_element(logits);
  std::vector<Real> weights;
  Real sum = 0;
  for (const Real& logit : logits) {
    weights.push_back(exp((logit - top) / temperature));
    sum += weights.back();
  }
  for (Real& weight : weights) weight /= sum;
  return weights;
}

/// g(T, epsilon) by its definition, in 100 digits.
double defined_quotient(const std::vector<double>& logits, const std::vector<Real>& direction,
                        double temperature, double epsilon) {
  const std::vector<Real> before(logits.begin(), logits.end());
  std::vector<Real> after = before;
  for (std::size_t i = 0; i < after.size(); ++i) after[i] += epsilon * direction[i];
  const std::vector<Real> a = softmax_of(before, temperature);
  const std::vector<Real> b = softmax_of(after, temperature);
  Real squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (b[i] - a[i]) * (b[i] - a[i]);
  return (sqrt(squares) / epsilon).convert_to<double>();
}

struct RowSample {
  std::vector<double> logits;
  std::vector<std::uint8_t> plus;
};

std::vector<Real> random_direction(const RowSample& sample) {
  const Real length = sqrt(Real(static_cast<double>(sample.plus.size())));
  std::vector<Real> v;
  v.reserve(sample.plus.size());
  for (const std::uint8_t sign : sample.plus) v.push_back((sign != 0 ? 1 : -1) / length);
  return v;
}

std::vector<Real> top_direction(const RowSample& sample) {
  const plain::Set order = plain::top(sample.logits, 2);
  std::vector<Real> v(sample.logits.size(), Real(0));
  v[order[0]] = 1 / sqrt(Real(2));
  v[order[1]] = -v[order[0]];
  return v;
}

constexpr double kTemperatures[] = {10.0, 1.0, 0.3, 1e-2, 1e-3};

void expect_definitions(const RowSample& sample) {
  GradientRow row(sample.logits, sample.plus);
  const auto [least, most] = std::ranges::minmax(sample.logits);
  for (const double temperature : kTemperatures) {
    // Rounding moves a logit over T, and with it the weights, by its size in units of the last
    // place. The differences of the definition have no digits below 1e-100.
    const double tolerance = 1e-13 + 4e-16 * (most - least) / temperature;
    const RowGradient found = row.at(temperature);
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      const auto expect_near = [&](double value, const std::vector<Real>& direction) {
        const double expected =
            defined_quotient(sample.logits, direction, temperature, kStepLengths[k]);
        EXPECT_NEAR(value, expected, tolerance * expected + 1e-85)
            << sample.logits.size() << " tokens, T = " << temperature
            << ", epsilon = " << kStepLengths[k];
      };
      expect_near(found.random[k], random_direction(sample));
      expect_near(found.top[k], top_direction(sample));
    }
  }
}

TEST(GradientRow, StepsFollowTheDefinition) {
  std::mt19937_64 engine(23);
  std::normal_distribution<double> normal;
  for (const std::size_t tokens : {2U, 3U, 12U, 60U}) {
    for (const double scale : {1e-4, 0.05, 1.0, 20.0}) {
      RowSample sample;
      for (std::size_t i = 0; i < tokens; ++i) {
        sample.logits.push_back(scale * normal(engine));
        sample.plus.push_back(static_cast<std::uint8_t>(engine() >> 63));
      }
      expect_definitions(sample);
    }
  }
}

TEST(GradientRow, StepsFollowTheDefinitionAtTheEnds) {
  expect_definitions({{0, 0}, {1, 0}});
  expect_definitions({{0, 0}, {1, 1}});  // nothing moves
  expect_definitions({{3, 3, 3, 1}, {0, 1, 0, 1}});
  expect_definitions({{-1, 0}, {1, 0}});  // the smaller one rises past the other
  expect_definitions({{0, -1, -5, -5}, {0, 1, 1, 1}});
  expect_definitions({{1000, 999.5, 0}, {0, 1, 1}});
}

TEST(GradientMeasure, GathersAllRows) {
  const Head head = random_head(30, 4, 4, 1, 31);
  const Rows logits = head.q * head.k.transpose();
  const std::vector<double> temperatures{0.01, 2};
  const auto sweep = gradients_of(head, all_rows(head), temperatures, 1);
  ASSERT_EQ(sweep.size(), 2U);
  for (std::size_t at = 0; at < 2; ++at) {
    const double temperature = temperatures[at];
    double sum = 0;
    double largest = 0;
    std::size_t above = 0;
    std::vector<LargestStep> top(kStepLengths.size());
    for (Eigen::Index t = 1; t < 30; ++t) {
      RowSample sample{std::vector<double>(&logits(t, 0), &logits(t, 0) + t + 1), {}};
      sample.plus.assign(sample.logits.size(), 1);
      Weights weights(sample.logits.size());
      softmax(sample.logits, temperature, weights);
      const double norm = proved_norm(weights);
      sum += norm;
      largest = std::max(largest, norm);
      if (norm / temperature > std::min(1 / (4 * temperature), std::sqrt(2.0))) ++above;
      for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
        const double g =
            defined_quotient(sample.logits, top_direction(sample), temperature, kStepLengths[k]);
        if (g > top[k].quotient) top[k] = {g, t};
      }
    }
    EXPECT_EQ(sweep[at].temperature, temperature);
    EXPECT_EQ(sweep[at].rows, 29U);
    EXPECT_NEAR(sweep[at].sum_t_norm, sum, 29 * 1e-12);
    EXPECT_NEAR(sweep[at].largest_t_norm, largest, 1e-12);
    EXPECT_EQ(sweep[at].rows_above_printed_bound, above);
    EXPECT_GT(above, 0U);
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      EXPECT_NEAR(sweep[at].top[k].quotient, top[k].quotient, 1e-10 * top[k].quotient);
      EXPECT_EQ(sweep[at].top[k].row, top[k].row);
      // Random signs move the weights too, within the proved bound.
      const double bound = std::min(1 / (2 * temperature), std::sqrt(2.0) / kStepLengths[k]);
      EXPECT_GT(sweep[at].random[k].quotient, 0.001 * bound);
      EXPECT_LE(sweep[at].random[k].quotient, bound);
      EXPECT_GT(sweep[at].random[k].row, 0);
    }
  }
}

/// The logits of two tokens are d apart: ||J|| is 1/(2T cosh(d/2T)^2): for d = 0 it is 5, 10, 50
/// at T = 0.1, 0.05, 0.01, for d = 0.1 it is 3.93, 4.20, 0.009, and for d = 1 it falls.
TEST(GradientMeasure, CountsTheRowsThatAreSteeperThanAtATenth) {
  const auto steeper = [](const std::vector<double>& temperatures) {
    GradientMeasure measure(random_head(2, 4, 4, 1, 31), temperatures, 1);
    for (const double apart : {0.0, 0.1, 1.0}) measure.add(1, std::vector<double>{apart, 0});
    std::vector<std::size_t> rows;
    for (const TemperatureGradients& at : std::move(measure).result()) {
      rows.push_back(at.rows_steeper);
    }
    return rows;
  };
  using Rows = std::vector<std::size_t>;
  EXPECT_EQ(steeper({0.01, 0.05, 0.1, 1}), (Rows{1, 2, 0, 0}));
  EXPECT_EQ(steeper({1e-300, 0.1}), (Rows{1, 0}));  // where it vanishes it is not steeper
  EXPECT_EQ(steeper({0.01, 0.2}), (Rows{0, 0}));    // nothing to compare with
}

TEST(GradientMeasure, SignsComeFromTheSeedAndTheHead) {
  Head head = random_head(40, 4, 4, 1, 37);
  const std::vector<double> temperatures{1};
  const auto random = [&](std::uint64_t seed) {
    const std::vector<std::int64_t> longest{39};  // short rows have few signs to choose from
    return gradients_of(head, longest, temperatures, seed)[0].random[0].quotient;
  };
  const double first = random(1);
  EXPECT_EQ(random(1), first);
  EXPECT_NE(random(2), first);
  EXPECT_NE(random(1 + (std::uint64_t{1} << 40)), first);
  head.head = 6;
  EXPECT_NE(random(1), first);
}

TEST(GradientMeasure, NaNGivesNaN) {
  Head head = random_head(10, 4, 4, 1, 41);
  head.k(2, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto at = gradients_of(head, all_rows(head), std::vector<double>{1.0}, 1)[0];
  EXPECT_TRUE(std::isnan(at.sum_t_norm));
  EXPECT_TRUE(std::isnan(at.largest_t_norm));
  EXPECT_TRUE(std::isnan(at.top[0].quotient));
  EXPECT_TRUE(std::isnan(at.random[0].quotient));
}

/// However large what comes after it is.
TEST(GradientMeasure, IsNaNFromTheFirstRowThatIsOn) {
  for (const Eigen::Index row : {1, 4, 9}) {
    Head head = random_head(10, 4, 4, 1, 41);
    head.q(row, 0) = std::numeric_limits<double>::quiet_NaN();
    const auto at = gradients_of(head, all_rows(head), std::vector<double>{1.0}, 1)[0];
    EXPECT_EQ(at.rows, 9U);
    EXPECT_TRUE(std::isnan(at.sum_t_norm)) << row;
    EXPECT_TRUE(std::isnan(at.largest_t_norm)) << row;
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      for (const LargestStep& largest : {at.top[k], at.random[k]}) {
        EXPECT_TRUE(std::isnan(largest.quotient)) << row;
        EXPECT_EQ(largest.row, row) << k;
      }
    }
  }
}

/// The first row of several with equal steps is kept.
TEST(GradientMeasure, KeepsTheFirstOfEquallyLargeSteps) {
  Head head = random_head(4, 4, 4, 1, 42);
  head.k.setZero();
  head.mask.window = 2;  // each row sees two tokens of equal logits
  const auto at = gradients_of(head, all_rows(head), std::vector<double>{1.0}, 1)[0];
  for (const LargestStep& largest : at.top) EXPECT_EQ(largest.row, 1);
}

}  // namespace
}  // namespace attn::gpt2
