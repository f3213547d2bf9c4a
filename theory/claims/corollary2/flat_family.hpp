#pragma once

#include <vector>

#include "theory/attention/flat_family.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

/// How large L must be for a statement about its limit to speak.
inline constexpr std::size_t kLong = 1000;

inline std::vector<Step> one_token_family_steps(const CaseContext& problem) {
  const auto t = one_token_family<Interval>(problem);
  return {{"E = (N+1)(L-N) ||x|| / L", t.expected}, {"sum_i ||y_i|| = ||x||", t.contributions}};
}

inline std::vector<Step> flat_family_steps(const CaseContext& problem) {
  const auto t = flat_family<Interval>(problem);
  return {{"D = E = (L-N)(N-1) ||x|| / L", t.distance}, {"sum_i ||y_i|| = ||x||", t.contributions}};
}

}  // namespace attn::claims
