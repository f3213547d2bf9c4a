#pragma once

#include <vector>

#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims {

/// 2 ||q|| ||k_i|| / T of one token.
template <class S>
S twice_own_delta(const CaseContext& context, std::size_t i) {
  const Rational squared = 4 * squared_norm(context.query()) * squared_norm(context.keys()[i]);
  return sqrt_nonnegative(from<S>(squared)) / from<S>(context.temperature());
}

// What may stand in the exponent of a bound on the weight of one token.
inline constexpr auto kTwiceDelta = []<class S>(const CaseContext& context, std::size_t) {
  return twice_delta<S>(context);
};
inline constexpr auto kDelta = []<class S>(const CaseContext& context, std::size_t) -> S {
  return twice_delta<S>(context) / S(2.0);
};
inline constexpr auto kTwiceOwnDelta = []<class S>(const CaseContext& context, std::size_t i) {
  return twice_own_delta<S>(context, i);
};
/// 2 min_j |q . k_j| / T.
inline constexpr auto kTwiceLeastProduct = []<class S>(const CaseContext& context, std::size_t) {
  return from<S>(Rational(2 * least_absolute(context.logits()) / context.temperature()));
};

/// exp(-exponent)/L <= a_i for a token of the least weight.
template <auto exponent>
inline constexpr auto kLeastWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(context);
  const std::size_t i = context.least();
  return {exp(S(-exponent.template operator()<S>(context, i))) / from_count<S>(a.size()), a[i]};
};

/// a_i <= exp(exponent)/L for a token of the largest weight.
template <auto exponent>
inline constexpr auto kLargestWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(context);
  const std::size_t i = context.largest();
  return {a[i], exp(exponent.template operator()<S>(context, i)) / from_count<S>(a.size())};
};

/// `gap` in the place of D/T.
template <class S>
RangeTerms<S> range_terms(const CaseContext& context, const S& gap) {
  using std::exp;
  const auto a = attention_weights<S>(context);
  return {.shrunk = exp(S(-gap)),
          .others = from_count<S>(a.size() - 1),
          .least_weight = a[context.least()],
          .largest_weight = a[context.largest()]};
}

inline constexpr auto kRange = []<class S>(const CaseContext& context) {
  return range_terms(context, logit_gap<S>(context, 0, context.tokens() - 1));
};
inline constexpr auto kNoRange = []<class S>(const CaseContext& context) {
  return range_terms(context, S(0.0));
};

/// exp(-2 ||q|| ||k_i||/T) against what it is to bound, for each token: over L a_i, and times it.
template <class S>
struct OwnKeyRatios {
  S over{};   ///< max_i exp(-2 ||q|| ||k_i||/T) / (L a_i)
  S times{};  ///< max_i L a_i exp(-2 ||q|| ||k_i||/T)
};

template <class S>
OwnKeyRatios<S> own_key_ratios(const CaseContext& context) {
  using std::exp;
  const std::size_t tokens = context.tokens();
  // With z_i = l_i/T behind the largest by b_i, L a_i = exp(-b_i) / mean_j exp(-b_j).
  std::vector<S> behind(tokens);
  S sum(0.0);
  for (std::size_t rank = 0; rank < tokens; ++rank) {
    const S gap = logit_gap<S>(context, 0, rank);
    behind[context.order()[rank]] = gap;
    sum += exp(S(-gap));
  }
  const S mean = sum / from_count<S>(tokens);
  OwnKeyRatios<S> ratios;
  for (std::size_t i = 0; i < tokens; ++i) {
    const S own = twice_own_delta<S>(context, i);
    ratios.over = max(ratios.over, S(exp(S(behind[i] - own)) * mean));
    ratios.times = max(ratios.times, S(exp(S(-own - behind[i])) / mean));
  }
  return ratios;
}

}  // namespace attn::claims
