#pragma once

#include <vector>

#include "theory/attention/dispersion.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/rationals.hpp"

namespace attn::claims {

inline std::string_view lemma1_unmet(const CaseContext& context) {
  if (const auto broken = breaks_lemma1(context); !broken.empty()) return broken;
  const Rational* const bound = context.logit_bound();
  const bool within = bound == nullptr || largest_absolute(context.logits()) <= *bound;
  return within ? std::string_view{} : "|l_i| <= a";
}

inline constexpr auto kDispersion = []<class S>(const CaseContext& context) {
  return dispersion_terms<S>(context, logit_bound(context));
};
/// The terms of Lemma 1 with F taken over half of [-a, a].
inline constexpr auto kHalfBoundTerms = []<class S>(const CaseContext& context) {
  return dispersion_terms<S>(context, logit_bound(context) / 2);
};
/// The terms of Lemma 1 with a = min_i |l_i|.
inline constexpr auto kLeastLogitTerms = []<class S>(const CaseContext& context) {
  return dispersion_terms<S>(context, least_absolute(context.logits()));
};

/// 1/L as the bound on the least and on the largest weight.
inline constexpr auto kUniformBelow = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto a = attention_weights<S>(context);
  return {S(1.0) / from_count<S>(a.size()), a[context.least()]};
};
inline constexpr auto kUniformAbove = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto a = attention_weights<S>(context);
  return {a[context.largest()], S(1.0) / from_count<S>(a.size())};
};

/// a = 0: for a > 0, m < M.
inline bool is_unspread(const CaseContext& context) {
  return logit_bound(context) == 0;
}

/// Whether one logit is at `end`, which is a or -a, and all others are at -end, with F least at -a
/// and largest at a.
inline bool is_one_at(const CaseContext& context, const Rational& end) {
  if (context.normalizer() == Normalizer::taylor) return false;
  std::size_t there = 0;
  for (const Rational& logit : context.logits()) {
    if (logit == end) {
      ++there;
    } else if (logit != -end) {
      return false;
    }
  }
  return there == 1 || (end == 0 && there > 0);
}

/// How far the weights are from uniform, and how far apart the logits.
template <class S>
struct RowDeviation : Deviation<S> {
  S range;        ///< (max l - min l)/T
  S least_logit;  ///< min_i |l_i|/T
};

inline constexpr auto kDeviation = []<class S>(const CaseContext& context) {
  const std::vector<S>& behind = own_softmax<S>(context).behind;
  const Rational least = least_absolute(context.logits()) / context.temperature();
  return RowDeviation<S>{deviation(behind, decays(behind)), behind.back(), from<S>(least)};
};

}  // namespace attn::claims
