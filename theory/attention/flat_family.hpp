#pragma once

#include <vector>

#include "theory/attention/problem.hpp"
#include "theory/number/squared_norm.hpp"

namespace attn {

/// A family in closed form: L tokens of weight 1/L at the same x, N of them selected (at random, or
/// the first N: all weights are tied). s = (N/L) x, so that D = (L-N)(N-1)||x||/L for every set.
template <class S>
struct FlatFamily {
  S distance;       ///< D = E[D]
  S contributions;  ///< sum_i ||y_i|| = ||x||
};

template <class S>
FlatFamily<S> flat_family(const Problem& problem) {
  const Rational tokens(problem.length());
  const Rational selected(problem.top_n());
  const S length = sqrt_nonnegative(from<S>(squared_norm(problem.embeddings().front())));
  return {from<S>(Rational((tokens - selected) * (selected - 1) / tokens)) * length, length};
}

}  // namespace attn
