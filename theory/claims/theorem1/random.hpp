#pragma once

#include <vector>

#include "theory/attention/random_set.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::vector<Step> random_set_steps(const CaseContext& problem) {
  const auto t = random_set_terms<Interval>(problem, Moments::mean_and_variance);
  return {{"E", t.expected},
          {"p", t.share},
          {"p sum_i ||m_i||", random_lower_bound(t)},
          {"p sum_i (||m_i|| + sqrt V_i)", random_upper_bound(t)},
          {"p sum_i sqrt(||m_i||^2 + V_i)", random_sharp_bound(t)},
          {"sum_i ||y_i||", t.contributions},
          {"max_i ||x_i||", t.longest}};
}

}  // namespace attn::claims
