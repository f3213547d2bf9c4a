// Every Jacobian against differences of the weights, so that a derivative that both implementations
// have wrong makes a test fail.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using nlohmann::json;
using R = Real<50>;
using Row = std::vector<R>;
using test::Random;

R sum_of(const Row& values) {
  return std::accumulate(values.begin(), values.end(), R(0));
}

template <class F>
Row map(const Row& z, F f) {
  Row a;
  for (const R& value : z) a.push_back(f(value));
  return a;
}

template <class F>
Row shares(const Row& z, F f, const R& beside = 0) {
  Row a = map(z, f);
  const R sum = sum_of(a) + beside;
  for (R& value : a) value /= sum;
  return a;
}

/// 1.5-entmax by bisection on tau.
Row entmax(const Row& z) {
  R high = *std::ranges::max_element(z) / 2;
  R low = high - 1;
  const auto squares = [&](const R& tau) {
    return map(z, [&](const R& value) {
      const R above = std::max(R(value / 2 - tau), R(0));
      return R(above * above);
    });
  };
  for (int step = 0; step < 160; ++step) {
    const R middle = (low + high) / 2;
    (sum_of(squares(middle)) > 1 ? low : high) = middle;
  }
  return squares(low);
}

/// The gain of pooling and the degree of the polynomial.
constexpr unsigned kGain = 3, kDegree = 3;

Row pooling(const Row& z) {
  const R count = z.size();
  const R mean = sum_of(z) / count;
  const Row squares = map(z, [&](const R& value) { return R((value - mean) * (value - mean)); });
  const R deviation = sqrt(R(sum_of(squares) / count));
  return map(z, [&](const R& value) { return R(kGain * (value - mean) / deviation); });
}

/// The weights of a normaliser, straight from its definition.
Row weights_at(const std::string& normalizer, const Row& z) {
  const R count = z.size();
  const auto exponential = [](const R& x) { return R(exp(x)); };
  if (normalizer == "softmax") return shares(z, exponential);
  if (normalizer == "softmax1") return shares(z, exponential, 1);
  if (normalizer == "sigmoid") return shares(z, [](const R& x) { return R(1 / (1 + exp(-x))); });
  if (normalizer == "softplus") return shares(z, [](const R& x) { return R(log(1 + exp(x))); });
  if (normalizer == "taylor") return shares(z, [](const R& x) { return R(1 + x + x * x / 2); });
  if (normalizer == "scalable_softmax") {
    return shares(z, [&](const R& x) { return R(pow(count, x)); });
  }
  if (normalizer == "sigmoid_attention") {
    return map(z, [&](const R& x) { return R(1 / (1 + exp(-(x - log(count))))); });
  }
  if (normalizer == "polynomial") {
    return map(z, [&](const R& x) { return R(pow(x, kDegree) / sqrt(count)); });
  }
  return normalizer == "entmax" ? entmax(z) : pooling(z);
}

/// ||da/dl||, by central differences in plain 50-digit arithmetic: some 15 digits are right where
/// no weight is close to a kink.
double norm_by_differences(const std::string& normalizer, const Row& z, const R& temperature) {
  const R step("1e-17");
  const auto tokens = static_cast<Eigen::Index>(z.size());
  Eigen::MatrixXd j(tokens, tokens);
  for (std::size_t col = 0; col < z.size(); ++col) {
    Row up = z;
    Row down = z;
    up[col] += step;
    down[col] -= step;
    const Row above = weights_at(normalizer, up), below = weights_at(normalizer, down);
    for (std::size_t row = 0; row < z.size(); ++row) {
      const R quotient = (above[row] - below[row]) / (2 * step * temperature);
      j(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(col)) =
          quotient.convert_to<double>();
    }
  }
  return Eigen::JacobiSVD<Eigen::MatrixXd>(j).singularValues()[0];
}

R real(const Rational& value) {
  return R(numerator(value).str()) / R(denominator(value).str());
}

/// The claims whose left side is ||J|| of a normaliser, and no other quantity.
TEST(Jacobian, NormAgreesWithDifferencesOfTheWeights) {
  constexpr std::pair<const char*, const char*> kNorms[] = {
      {"corollary3.sharp", "softmax"},
      {"lemma2.sharp", "sigmoid"},
      {"lemma2.sharp", "softplus"},
      {"lemma2.sharp", "taylor"},
      {"lipschitz.scalable_softmax", "scalable_softmax"},
      {"lipschitz.entmax", "entmax"},
      {"lipschitz.softmax1", "softmax1"},
      {"lipschitz.sigmoid_attention", "sigmoid_attention"},
      {"lipschitz.pooling", "pooling"},
      {"lipschitz.polynomial", "polynomial"}};
  constexpr int kTrials = 20;
  Random random;
  for (const auto& [id, normalizer] : kNorms) {
    for (int trial = 0; trial < kTrials; ++trial) {
      const std::vector<std::string> temperatures = {"1/9", "1/4", "1", "2", "7/3"};
      const Rational t = parse_rational(temperatures[random.below(temperatures.size())]);
      json input = {{"temperature", to_string(t)}, {"normalizer", normalizer}};
      Row z;
      for (std::size_t i = 2 + random.below(4); i > 0; --i) {
        const Rational logit = random.decimal(3);
        input["logits"].push_back(to_string(logit));
        z.push_back(real(Rational(logit / t)));
      }
      if (normalizer == std::string("pooling")) input["gain"] = kGain;
      if (normalizer == std::string("polynomial")) input.update({{"p", kDegree}, {"a", 3}});
      SCOPED_TRACE(test::replay(trial) + ": " + input.dump());
      const Claim& claim = find_claim(id);
      const Certificate found = certify(claim, read_case(claim, input));
      const double expected = norm_by_differences(normalizer, z, real(t));
      const double norm = R(found.lhs).convert_to<double>();
      EXPECT_NEAR(norm, expected, 1e-13 * (1 + expected)) << id;
    }
  }
}

}  // namespace
}  // namespace attn
