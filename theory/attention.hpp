#pragma once

#include <numeric>
#include <vector>

#include "theory/normalizer.hpp"

namespace attn {

/// a_i = F_i / sum_j F_j.
template <class S>
std::vector<S> weights_of(const std::vector<S>& f) {
  const S sum = std::accumulate(f.begin(), f.end(), S(0.0));
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

}  // namespace attn
