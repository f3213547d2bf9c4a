#pragma once

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

/// ||J|| of a case, and the F and F' of every token that bounds on it are made of.
template <class S>
struct Gradient {
  const CaseContext& problem;
  Normalized<S> f;
  S norm;
};

inline constexpr auto kGradient = []<class S>(const CaseContext& problem) {
  Normalized<S> f = normalize<S>(problem);
  S norm = jacobian_norm(problem, f);
  return Gradient<S>{problem, std::move(f), std::move(norm)};
};

/// |F'|_(2) / S, |F'|_(2) the second largest and S = sum_j F(l_j).
template <class S>
S second_slope(const Normalized<S>& f) {
  S most(0.0);
  S second(0.0);
  S sum(0.0);
  for (std::size_t i = 0; i < f.value.size(); ++i) {
    const S slope = abs(f.derivative[i]);
    second = max(second, S(min(most, slope)));
    most = max(most, slope);
    sum += f.value[i];
  }
  return second / sum;
}

}  // namespace attn::claims
