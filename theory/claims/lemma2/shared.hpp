#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::vector<Step> lemma2_steps(const Problem& problem) {
  const auto f = normalize<Interval<50>>(problem);
  return {{"||J||", jacobian_norm(problem, f)},
          {"printed bound", lemma2_bound(f)},
          {"(1/2) max_j |F'_j/F_j|", lemma2_sharp_bound(f)},
          {"sqrt(L) ||a|| max|F'|/S", lemma2_oblique_bound(f)}};
}

}  // namespace attn::claims
