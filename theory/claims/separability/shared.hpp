#pragma once

#include "theory/attention/nearest_outside.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::string_view many_selected(const CaseContext& problem) {
  if (const auto broken = breaks_theorem1(problem); !broken.empty()) return broken;
  return few_selected(problem.top_n());
}

}  // namespace attn::claims
