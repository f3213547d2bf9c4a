#pragma once

#include <vector>

#include "theory/attention/deviation.hpp"
#include "theory/attention/ranked.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/absolute.hpp"

namespace attn::claims {

/// About the largest logit.
template <class S>
Deviation<S> deviation(const CaseContext& problem) {
  std::vector<S> behind;
  behind.reserve(problem.tokens());
  for (std::size_t rank = 0; rank < problem.tokens(); ++rank) {
    behind.push_back(logit_gap<S>(problem, 0, rank));
  }
  return attn::deviation(behind);
}

/// (max l - min l)/T.
inline Rational scaled_range(const CaseContext& problem) {
  const auto& l = problem.logits();
  return (l[problem.largest()] - l[problem.least()]) / problem.temperature();
}

/// min_i |l_i|/T.
inline Rational least_scaled(const CaseContext& problem) {
  return least_absolute(problem.logits()) / problem.temperature();
}

inline std::vector<Step> deviation_steps(const CaseContext& problem) {
  const auto d = deviation<Interval>(problem);
  return {{"(max l - min l)/T", from<Interval>(scaled_range(problem))},
          {"TV(a, uniform)", d.total_variation},
          {"log L - H(a)", d.entropy}};
}

}  // namespace attn::claims
