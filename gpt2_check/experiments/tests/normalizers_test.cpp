#include "gpt2_check/experiments/normalizers.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "theory/attention/normalizer.hpp"

namespace attn::gpt2 {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

constexpr Normalizer kMeasured[] = {
    Normalizer::softmax,           Normalizer::scalable_softmax,
    Normalizer::sparsemax,         Normalizer::entmax,
    Normalizer::self_adjusted,     Normalizer::softmax1,
    Normalizer::sigmoid_attention,
};

Complex least(const Values& z) {
  return *std::ranges::min_element(z, {}, [](const Complex& c) { return c.real(); });
}

Complex most(const Values& z) {
  return *std::ranges::max_element(z, {}, [](const Complex& c) { return c.real(); });
}

Values exponentials(const Values& z, double scale) {
  Values e;
  for (const Complex& c : z) e.push_back(std::exp(scale * c));
  return e;
}

Values over(Values values, const Complex& sum) {
  for (Complex& value : values) value /= sum;
  return values;
}

Complex sum_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), Complex(0));
}

/// sum_i max(z_i - tau, 0)^power = 1, by halving, at the real parts: the support.
std::vector<bool> support_of(const Values& z, double power) {
  double low = most(z).real() - 1;
  double high = most(z).real();
  for (int step = 0; step < 100; ++step) {
    const double tau = (low + high) / 2;
    double sum = 0;
    for (const Complex& c : z) sum += std::pow(std::max(c.real() - tau, 0.0), power);
    (sum > 1 ? low : high) = tau;
  }
  std::vector<bool> inside;
  for (const Complex& c : z) inside.push_back(c.real() > high);
  return inside;
}

Values sparse_weights(const Values& z) {
  const auto inside = support_of(z, 1);
  Complex sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (inside[i]) {
      sum += z[i];
      ++count;
    }
  }
  Values a(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (inside[i]) a[i] = z[i] - (sum - 1.0) / count;
  }
  return a;
}

Values entmax_weights(Values z) {
  for (Complex& c : z) c /= 2;
  const auto inside = support_of(z, 2);
  // k tau^2 - 2 tau sum + squares - 1 = 0.
  Complex sum = 0;
  Complex squares = 0;
  double count = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (inside[i]) {
      sum += z[i];
      squares += z[i] * z[i];
      ++count;
    }
  }
  const Complex tau = (sum - std::sqrt(sum * sum - count * (squares - 1.0))) / count;
  Values a(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (inside[i]) a[i] = (z[i] - tau) * (z[i] - tau);
  }
  return a;
}

Values self_adjusted_weights(const Values& z) {
  const Complex low = least(z).real() < 0 ? least(z) : 0;
  const Complex high = most(z).real() > 0 ? most(z) : 0;
  Values a = exponentials(z, 1);
  a = over(a, sum_of(a));
  for (std::size_t i = 0; i < z.size(); ++i) a[i] *= (z[i] - low) / (high - low);
  return a;
}

/// The weights by their definition, for complex z: analytic where no token crosses an edge.
Values defined_weights(Normalizer normalizer, const Values& z) {
  const auto length = static_cast<double>(z.size());
  switch (normalizer) {
    case Normalizer::scalable_softmax: {
      const Values e = exponentials(z, std::log(length));
      return over(e, sum_of(e));
    }
    case Normalizer::sparsemax:
      return sparse_weights(z);
    case Normalizer::entmax:
      return entmax_weights(z);
    case Normalizer::self_adjusted:
      return self_adjusted_weights(z);
    case Normalizer::softmax1: {
      const Values e = exponentials(z, 1);
      return over(e, 1.0 + sum_of(e));
    }
    case Normalizer::sigmoid_attention: {
      Values a;
      for (const Complex& c : z) a.push_back(1.0 / (1.0 + length * std::exp(-c)));
      return a;
    }
    default: {
      const Values e = exponentials(z, 1);
      return over(e, sum_of(e));
    }
  }
}

/// d weights / d logits by the complex step: no difference is taken, so that no digits are lost.
Eigen::MatrixXd defined_jacobian(Normalizer normalizer, const std::vector<double>& logits,
                                 double temperature) {
  constexpr double kStep = 1e-100;
  const auto n = static_cast<Eigen::Index>(logits.size());
  Eigen::MatrixXd j(n, n);
  for (Eigen::Index col = 0; col < n; ++col) {
    Values z;
    for (const double logit : logits) z.emplace_back(logit / temperature);
    z[static_cast<std::size_t>(col)] += Complex(0, kStep / temperature);
    const Values a = defined_weights(normalizer, z);
    for (Eigen::Index row = 0; row < n; ++row) {
      j(row, col) = a[static_cast<std::size_t>(row)].imag() / kStep;
    }
  }
  return j;
}

void expect_definitions(Normalizer normalizer, const std::vector<double>& logits,
                        double temperature) {
  const auto where = testing::Message() << to_string(normalizer) << ", " << logits.size()
                                        << " tokens, T = " << temperature;
  const NormalizedRow row = normalize_row(normalizer, logits, temperature);
  Values z;
  for (const double logit : logits) z.emplace_back(logit / temperature);
  const Values a = defined_weights(normalizer, z);
  ASSERT_EQ(row.weights.size(), logits.size());
  double largest = 0;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(row.weights[i], a[i].real(), 1e-13) << where;
    largest = std::max(largest, a[i].real());
    sum += a[i].real();
  }
  double entropy = 0;
  for (const Complex& c : a) {
    if (c.real() > 0) entropy -= c.real() / sum * std::log(c.real() / sum);
  }
  EXPECT_NEAR(row.largest, largest, 1e-13) << where;
  EXPECT_NEAR(row.sum, sum, 1e-12) << where;
  EXPECT_NEAR(row.entropy, entropy, 1e-12) << where;
  const Eigen::MatrixXd j = defined_jacobian(normalizer, logits, temperature);
  const double norm = Eigen::JacobiSVD<Eigen::MatrixXd>(j).singularValues()[0];
  EXPECT_NEAR(row.norm, norm, 1e-11 * norm + 1e-14 / temperature) << where;
}

std::vector<double> draw(std::mt19937_64& engine, std::size_t tokens, double scale, double mean) {
  std::normal_distribution<double> normal;
  std::vector<double> logits(tokens);
  for (double& logit : logits) logit = mean + scale * normal(engine);
  return logits;
}

TEST(NormalizeRow, FollowsTheDefinitions) {
  std::mt19937_64 engine(43);
  for (const Normalizer normalizer : kMeasured) {
    for (const std::size_t tokens : {2U, 3U, 8U, 40U}) {
      for (const double scale : {0.1, 1.0, 6.0}) {
        // All logits above zero, all below it, and both.
        for (const double mean : {0.0, 20.0, -20.0}) {
          expect_definitions(normalizer, draw(engine, tokens, scale, mean), 1.7);
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

}  // namespace
}  // namespace attn::gpt2
