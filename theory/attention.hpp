#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "theory/normalizer.hpp"

namespace attn {

/// a_i = F_i / sum_j F_j.
template <class S>
std::vector<S> weights_of(const std::vector<S>& f) {
  const S sum = std::accumulate(f.begin(), f.end(), S(0));
  std::vector<S> weights;
  weights.reserve(f.size());
  for (const S& value : f) weights.push_back(value / sum);
  return weights;
}

/// The weights of a case, given or computed from its logits. [L]
template <class S>
std::vector<S> attention_weights(const Problem& problem) {
  const Case& input = problem.input();
  if (!input.logits.empty()) return weights_of(normalize<S>(problem).value);
  std::vector<S> weights;
  for (const Rational& weight : input.weights) weights.push_back(from<S>(weight));
  return weights;
}

/// The weights where they are rational: given as such, of the Taylor normaliser, or all equal.
/// Zeros that come from cancellation then stay exact, which no enclosure can show. [L]
inline std::optional<std::vector<Rational>> rational_weights(const Problem& problem) {
  const Case& input = problem.input();
  if (input.logits.empty()) return input.weights;
  if (std::ranges::adjacent_find(input.logits, std::not_equal_to<>()) == input.logits.end()) {
    return std::vector<Rational>(input.tokens(), Rational(1, input.tokens()));
  }
  if (input.normalizer != Normalizer::taylor) return std::nullopt;
  std::vector<Rational> f;
  f.reserve(input.logits.size());
  for (const Rational& logit : input.logits) {
    const Rational shifted = 1 + logit / input.temperature;
    f.emplace_back((shifted * shifted + 1) / 2);
  }
  return weights_of(f);
}

}  // namespace attn
