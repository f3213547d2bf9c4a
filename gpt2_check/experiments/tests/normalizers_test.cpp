#include "gpt2_check/experiments/normalizers.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "theory/attention/normalizer.hpp"
#include "theory/attention/weights.hpp"

namespace attn::gpt2 {
namespace {

constexpr Normalizer kMeasured[] = {
    Normalizer::softmax,           Normalizer::scalable_softmax,
    Normalizer::sparsemax,         Normalizer::entmax,
    Normalizer::self_adjusted,     Normalizer::softmax1,
    Normalizer::sigmoid_attention,
};

/// The weights of the theory, enclosed to 50 digits. [L]
std::vector<Interval> proved_weights(Normalizer normalizer, const std::vector<Rational>& logits,
                                     double temperature) {
  const Case input{.kind = InputKind::row_of,
                   .logits = logits,
                   .temperature = Rational(temperature),
                   .normalizer = normalizer};
  return attention_weights<Interval>(CaseContext(input));
}

double middle(const Interval& x) {
  return ScalarTraits<Interval>::middle(x).convert_to<double>();
}

/// d weights / d logits by differences so small that their error is far below the last digit of a
/// double; they leave some 30 of the 50 digits. No token may be so near to an edge of a support.
Eigen::MatrixXd proved_jacobian(Normalizer normalizer, const std::vector<Rational>& logits,
                                double temperature) {
  const Rational step = Rational(1, 1'000'000'000) / 1'000'000'000;
  const Interval width = from<Interval>(Rational(2 * step));
  const auto n = static_cast<Eigen::Index>(logits.size());
  Eigen::MatrixXd j(n, n);
  for (std::size_t col = 0; col < logits.size(); ++col) {
    std::vector<Rational> above = logits, below = logits;
    above[col] += step;
    below[col] -= step;
    const std::vector<Interval> a = proved_weights(normalizer, above, temperature);
    const std::vector<Interval> b = proved_weights(normalizer, below, temperature);
    for (std::size_t row = 0; row < logits.size(); ++row) {
      j(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(col)) =
          middle(Interval((a[row] - b[row]) / width));
    }
  }
  return j;
}

void expect_the_theorys(Normalizer normalizer, const std::vector<double>& logits,
                        double temperature) {
  const auto where = testing::Message() << to_string(normalizer) << ", " << logits.size()
                                        << " tokens, T = " << temperature;
  const NormalizedRow row = normalize_row(normalizer, logits, temperature);
  const std::vector<Rational> exact(logits.begin(), logits.end());
  std::vector<double> a;
  for (const Interval& weight : proved_weights(normalizer, exact, temperature)) {
    a.push_back(middle(weight));
  }
  ASSERT_EQ(row.weights.size(), logits.size());
  double largest = 0;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(row.weights[i], a[i], 1e-13) << where;
    largest = std::max(largest, a[i]);
    sum += a[i];
  }
  double entropy = 0;
  for (const double weight : a) {
    if (weight > 0) entropy -= weight / sum * std::log(weight / sum);
  }
  EXPECT_NEAR(row.largest, largest, 1e-13) << where;
  EXPECT_NEAR(row.sum, sum, 1e-12) << where;
  EXPECT_NEAR(row.entropy, entropy, 1e-12) << where;
  const Eigen::MatrixXd j = proved_jacobian(normalizer, exact, temperature);
  const double norm = Eigen::JacobiSVD<Eigen::MatrixXd>(j).singularValues()[0];
  EXPECT_NEAR(row.norm, norm, 1e-11 * norm + 1e-14 / temperature) << where;
}

std::vector<double> draw(std::mt19937_64& engine, std::size_t tokens, double scale, double mean) {
  std::normal_distribution<double> normal;
  std::vector<double> logits(tokens);
  for (double& logit : logits) logit = mean + scale * normal(engine);
  return logits;
}

TEST(NormalizeRow, IsTheTheorys) {
  std::mt19937_64 engine(43);
  for (const Normalizer normalizer : kMeasured) {
    for (const std::size_t tokens : {2U, 3U, 8U, 40U}) {
      for (const double scale : {0.1, 1.0, 6.0}) {
        // All logits above zero, all below it, and both.
        for (const double mean : {0.0, 20.0, -20.0}) {
          expect_the_theorys(normalizer, draw(engine, tokens, scale, mean), 1.7);
        }
      }
    }
  }
}

TEST(NormalizeRow, KeepsItsDigitsAtTheEnds) {
  // One token far above: no other gets weight.
  const std::vector<double> apart{1, 900, -50};
  for (const Normalizer normalizer : {Normalizer::sparsemax, Normalizer::entmax}) {
    const NormalizedRow row = normalize_row(normalizer, apart, 2);
    EXPECT_EQ(row.weights, (std::vector<double>{0, 1, 0})) << to_string(normalizer);
    EXPECT_EQ(row.norm, 0) << to_string(normalizer);
    EXPECT_EQ(row.entropy, 0) << to_string(normalizer);
  }
  // What the others take from the largest weight is far below its last digit: L - 1 weights e^-z.
  // The two small weights are far below the last digit of the largest.
  const double rest = 2 * std::exp(-44.0);
  EXPECT_NEAR(normalize_row(Normalizer::softmax, std::vector<double>{0, 44, 0}, 1).entropy,
              45 * rest, 1e-12 * rest);
  // Logits out of the range of exp.
  EXPECT_NEAR(normalize_row(Normalizer::softmax1, apart, 0.5).largest, 1, 1e-15);
  EXPECT_NEAR(normalize_row(Normalizer::sigmoid_attention, apart, 0.5).largest, 1, 1e-15);
}

TEST(LargestSingularValue, IsThatOfTheMatrix) {
  std::mt19937_64 engine(53);
  std::normal_distribution<double> normal;
  for (const Eigen::Index n : {1, 2, 5, 30, 90}) {
    Eigen::MatrixXd j = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(engine); });
    if (n == 30) j = Eigen::MatrixXd::Identity(n, n) + 1e-6 * j;  // all values close together
    const double expected = Eigen::JacobiSVD<Eigen::MatrixXd>(j).singularValues()[0];
    const auto square = [&](const Eigen::VectorXd& v) -> Eigen::VectorXd {
      return j.transpose() * (j * v);
    };
    EXPECT_NEAR(largest_singular_value(n, square), expected, 1e-11 * expected) << n;
  }
  const auto nothing = [](const Eigen::VectorXd& v) -> Eigen::VectorXd { return 0 * v; };
  EXPECT_EQ(largest_singular_value(4, nothing), 0);
}

TEST(NormalizeRow, IsOfTheNormalisersThatRowsAreMeasuredUnder) {
  const std::vector<double> logits{1, 2};
  for (const Normalizer other :
       {Normalizer::sigmoid, Normalizer::softplus, Normalizer::taylor, Normalizer::relu_attention,
        Normalizer::pooling, Normalizer::polynomial}) {
    EXPECT_THROW(normalize_row(other, logits, 1), std::logic_error) << to_string(other);
  }
}

}  // namespace
}  // namespace attn::gpt2
