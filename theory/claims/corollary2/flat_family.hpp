#pragma once

#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

/// A family of cases in closed form.
template <class S>
struct Family {
  S distance;       ///< E = E[D]
  S contributions;  ///< sum_i ||y_i|| = ||x||
};

/// All L tokens have the weight 1/L at the same x, N of them selected (at random, or the first N:
/// all weights are tied). s = (N/L) x, so that D = (L-N)(N-1)||x||/L for every set.
template <class S>
Family<S> flat_family(const CaseContext& problem) {
  const Rational tokens(problem.length());
  const Rational selected(problem.top_n());
  const S length = embedding_length<S>(problem, 0);  // of the one embedding
  return {from<S>(Rational((tokens - selected) * (selected - 1) / tokens)) * length, length};
}

/// One of the L tokens at x has all the weight, and N of them are selected at random. E =
/// (N+1)(L-N)||x||/L: with that token selected all L-N others are ||x|| from s = x, without it that
/// token alone is ||x|| from s = 0.
template <class S>
Family<S> one_token_family(const CaseContext& problem) {
  const Rational tokens(problem.length());
  const Rational selected(problem.top_n());
  const S length = embedding_length<S>(problem, 0);  // of the one embedding
  return {from<S>(Rational((selected + 1) * (tokens - selected) / tokens)) * length, length};
}

/// How large L must be for a statement about its limit to speak.
inline constexpr std::size_t kLong = 1000;

}  // namespace attn::claims
