#pragma once

#include <vector>

#include "theory/attention/nearest_outside.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::string_view many_selected(const CaseContext& problem) {
  if (const auto broken = breaks_theorem1(problem); !broken.empty()) return broken;
  return few_selected(problem.top_n());
}

inline std::vector<Step> share_steps(const CaseContext& problem) {
  using S = Interval;
  const S share = share_within_nearest<S>(problem);
  return {{"N_s", share * from_count<S>(problem.top_n())}, {"N_s/N", share}};
}

}  // namespace attn::claims
