#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

/// ||J|| of a case, the F and F' of every token, and what bounds on it are made of.
template <class S>
struct Gradient {
  const CaseContext& problem;
  Normalized<S> f;
  SlopeTerms<S> terms;
  S norm;
};

inline constexpr auto kGradient = []<class S>(const CaseContext& problem) {
  Normalized<S> f = normalize<S>(problem);
  SlopeTerms<S> terms = slope_terms(f);
  S norm = jacobian_norm(problem, f);
  return Gradient<S>{problem, std::move(f), std::move(terms), std::move(norm)};
};

inline std::vector<Step> lemma2_steps(const CaseContext& problem) {
  const auto t = kGradient.operator()<Interval>(problem);
  return {{"||J||", t.norm},
          {"printed bound", lemma2_bound(t.terms)},
          {"(1/2) max_j |F'_j/F_j|", lemma2_sharp_bound(t.terms)},
          {"sqrt(L) ||a|| max|F'|/S", lemma2_oblique_bound(t.terms)}};
}

/// |F'|_(2) / S, |F'|_(2) the second largest and S = sum_j F(l_j).
template <class S>
S second_slope(const Gradient<S>& t) {
  S most(0.0);
  S second(0.0);
  for (const S& derivative : t.f.derivative) {
    const S slope = abs(derivative);
    second = max(second, S(min(most, slope)));
    most = max(most, slope);
  }
  return second / t.terms.sum;
}

}  // namespace attn::claims
