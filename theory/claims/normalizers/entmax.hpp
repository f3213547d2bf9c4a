#pragma once

#include <vector>

#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims {

inline std::vector<Step> entmax_steps(const CaseContext& problem) {
  const auto t = entmax_terms<Interval>(problem);
  return {{"||J||", t.norm},
          {"max_i sqrt(a_i)", t.largest_root},
          {"u_1 (1 - (u_1 - u_2)/sum u)", t.local_upper},
          {"size of the support", from_count<Interval>(problem.support().tokens.size())}};
}

}  // namespace attn::claims
