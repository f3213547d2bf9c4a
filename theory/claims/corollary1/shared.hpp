#pragma once

#include <vector>

#include "theory/attention/dispersion.hpp"
#include "theory/claims/define.hpp"
#include "theory/claims/least_absolute.hpp"

namespace attn::claims {

inline std::vector<Step> corollary1_steps(const Problem& problem) {
  const auto a = attention_weights<Interval<50>>(problem);
  return {{"2 Delta/T", twice_delta<Interval<50>>(problem)},
          {"min_i a_i", a[problem.order().back()]},
          {"max_i a_i", a[problem.order().front()]}};
}

/// 2 ||q|| ||k_i|| / T of one token.
template <class S>
S twice_own_delta(const Problem& problem, std::size_t i) {
  const Rational squared = 4 * squared_norm(problem.query()) * squared_norm(problem.keys()[i]);
  return sqrt_nonnegative(from<S>(squared)) / from<S>(problem.temperature());
}

/// 2 min_j |q . k_j| / T.
template <class S>
S twice_least_product(const Problem& problem) {
  return from<S>(Rational(2 * least_absolute(problem.logits()) / problem.temperature()));
}

}  // namespace attn::claims
