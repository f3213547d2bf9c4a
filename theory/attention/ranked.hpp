#pragma once

#include <cstddef>

#include "theory/attention/weights.hpp"

namespace attn {

// What a formula says of a softmax row by rank: 0 is the token of the largest weight. What is tied
// is exactly 0, which an enclosure of a difference of two weights could not show.

/// (l_(i) - l_(j)) / T. Ranks i, j < L; where i < j it is not negative. [L]
template <class S>
S logit_gap(const CaseContext& problem, std::size_t i, std::size_t j) {
  const auto& order = problem.order();
  const Rational gap = problem.logits()[order.at(i)] - problem.logits()[order.at(j)];
  return from<S>(Rational(gap / problem.temperature()));
}

/// a_(i) - a_(j) of softmax, as a_(i) (1 - exp(-gap)), so that close weights keep their digits.
/// Ranks i, j < L. [L]
template <class S>
S weight_difference(const CaseContext& problem, std::size_t i, std::size_t j) {
  using std::expm1;
  const auto weights = attention_weights<S>(problem);
  return weights[problem.order().at(i)] * -expm1(-logit_gap<S>(problem, i, j));
}

}  // namespace attn
