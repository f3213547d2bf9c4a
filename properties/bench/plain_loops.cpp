#include "properties/bench/plain_loops.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "theory/attention/norm/secular_root.hpp"

namespace attn::properties::plain {

namespace {

using Vector = std::vector<double>;

/// The weights: of the logits by softmax where those are given.
Vector softmax(const Input& input) {
  if (input.logits.empty()) return input.weights;
  const double top = *std::max_element(input.logits.begin(), input.logits.end());
  Vector a(input.logits.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::exp((input.logits[i] - top) / input.temperature);
    sum += a[i];
  }
  for (double& weight : a) weight /= sum;
  return a;
}

/// The same, largest first.
Vector sorted_softmax(const Input& input) {
  Vector a = softmax(input);
  std::sort(a.begin(), a.end(), std::greater<>());
  return a;
}

double lemma1_lower(const Input& input) {
  const Vector a = softmax(input);
  const double least = *std::min_element(a.begin(), a.end());
  const double ratio = std::exp(-2 * input.bound / input.temperature);
  return ratio / static_cast<double>(a.size()) - least;
}

double entropy(const Input& input) {
  const Vector a = softmax(input);
  double deviation = std::log(static_cast<double>(a.size()));
  for (const double weight : a) {
    if (weight > 0) deviation += weight * std::log(weight);
  }
  const auto [low, high] = std::minmax_element(input.logits.begin(), input.logits.end());
  const double range = (*high - *low) / input.temperature;
  return deviation - range * range / 8;
}

double entrywise(const Input& input) {
  double most = 0;
  for (const double weight : softmax(input)) most = std::max(most, weight * (1 - weight));
  return most / input.temperature - 1 / (4 * input.temperature);
}

/// ||diag a - a a^T|| for falling weights.
double norm(const Vector& a) {
  return secular_root(a, 1 - a[0]);
}

double gradient(const Input& input) {
  return norm(sorted_softmax(input)) / input.temperature - 1 / (2 * input.temperature);
}

double local_gradient(const Input& input) {
  const Vector a = sorted_softmax(input);
  return (norm(a) - a[0] * (1 - a[0] + a[1])) / input.temperature;
}

double squared_distance(double scale, const Vector& u, const Vector& v) {
  double sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double offset = scale * u[k] - v[k];
    sum += offset * offset;
  }
  return sum;
}

double fixed_set(const Input& input) {
  const Vector a = softmax(input);
  const auto& x = input.embeddings;
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return a[i] > a[j]; });
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(input.top_n);
  const Vector zero(x.front().size());
  Vector s = zero;
  double mass = 0;
  double radius = 0;
  for (auto j = order.begin(); j != middle; ++j) {
    mass += a[*j];
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += a[*j] * x[*j][k];
    radius = std::max(radius, squared_distance(1, x[*j], zero));
  }
  double distance = 0;
  double spread = 0;
  for (auto i = middle; i != order.end(); ++i) {
    distance += std::sqrt(squared_distance(a[*i], x[*i], s));
    for (auto j = order.begin(); j != middle; ++j) {
      spread = std::max(spread, squared_distance(1, x[*i], x[*j]));
    }
  }
  const double excess = mass * static_cast<double>(a.size() - input.top_n) - (1 - mass);
  return distance - ((1 - mass) * std::sqrt(spread) + std::sqrt(radius) * excess);
}

constexpr Loop kLoops[] = {{"lemma1.lower", lemma1_lower},
                           {"lemma1.entropy", entropy},
                           {"corollary3.entrywise", entrywise},
                           {"corollary3.sharp", gradient},
                           {"corollary3.local.upper", local_gradient},
                           {"theorem1.fixed", fixed_set}};

}  // namespace

std::span<const Loop> loops() {
  return kLoops;
}

}  // namespace attn::properties::plain
