// Every Jacobian against differences of the weights, so that a derivative that both implementations
// have wrong makes a test fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

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

/// The largest eigenvalue of m^T m, from the trace of a high power of it: [trace/n, trace] holds
/// its power.
R norm_of(const std::vector<Row>& m) {
  std::vector<Row> g(m.size(), Row(m.size(), R(0)));
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t j = 0; j < m.size(); ++j) {
      for (std::size_t k = 0; k < m[i].size(); ++k) g[i][j] += m[i][k] * m[j][k];
    }
  }
  R scale = 1;  // g times scale^(2^doublings) is the power
  R root = 1;
  for (int doubling = 0; doubling < 60; ++doubling) {
    R trace = 0;
    for (std::size_t i = 0; i < g.size(); ++i) trace += g[i][i];
    if (trace == 0) return 0;
    scale *= pow(trace, root);
    std::vector<Row> squared(g.size(), Row(g.size(), R(0)));
    for (std::size_t i = 0; i < g.size(); ++i) {
      for (std::size_t j = 0; j < g.size(); ++j) {
        for (std::size_t k = 0; k < g.size(); ++k) {
          squared[i][j] += g[i][k] / trace * (g[k][j] / trace);
        }
      }
    }
    g = squared;
    root /= 2;
  }
  return sqrt(scale);
}

/// ||da/dl||, by central differences in plain 50-digit arithmetic: some 15 digits are right where
/// no weight is close to a kink.
R norm_by_differences(const std::string& normalizer, const Row& z, const R& temperature) {
  const R step("1e-17");
  std::vector<Row> columns;
  for (std::size_t j = 0; j < z.size(); ++j) {
    Row up = z;
    Row down = z;
    up[j] += step;
    down[j] -= step;
    Row column = weights_at(normalizer, up);
    const Row below = weights_at(normalizer, down);
    for (std::size_t i = 0; i < z.size(); ++i) {
      column[i] = (column[i] - below[i]) / (2 * step * temperature);
    }
    columns.push_back(std::move(column));
  }
  return norm_of(columns);
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
      const R expected = norm_by_differences(normalizer, z, real(t));
      EXPECT_LE(abs(R(R(found.lhs) - expected)), R(1e-13) * (1 + abs(expected)))
          << id << ": " << found.lhs << ", by differences " << expected;
    }
  }
}

}  // namespace
}  // namespace attn
