#pragma once

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

/// ||J|| of a case, the F and F' of every token, and what bounds on it are made of.
template <class S>
struct Gradient {
  const CaseContext& context;
  Normalized<S> f;
  SlopeTerms<S> terms;
  S norm;
};

inline constexpr auto kGradient = []<class S>(const CaseContext& context) {
  Normalized<S> f = normalize<S>(context);
  SlopeTerms<S> terms = slope_terms(f);
  S norm = jacobian_norm(context, f);
  return Gradient<S>{context, std::move(f), std::move(terms), std::move(norm)};
};

/// ||J|| <= |F'|_(2) / S, |F'|_(2) the second largest and S = sum_j F(l_j).
inline constexpr auto kSecondSlope = of(kGradient, []<class S>(const Gradient<S>& t) {
  S most(0.0);
  S second(0.0);
  for (const S& derivative : t.f.derivative) {
    const S slope = abs(derivative);
    second = max(second, S(min(most, slope)));
    most = max(most, slope);
  }
  return Sides{t.norm, S(second / t.terms.sum)};
});

/// F' = 0 everywhere, so that J = 0: of the Taylor polynomial alone, at its least value.
inline bool is_flat(const CaseContext& context) {
  return context.normalizer() == Normalizer::taylor &&
         std::ranges::all_of(context.scaled_logits(), [](const Rational& z) { return z == -1; });
}

}  // namespace attn::claims
