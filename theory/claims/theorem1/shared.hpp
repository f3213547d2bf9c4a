#pragma once

#include <vector>

#include "theory/attention/distance.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::vector<Step> distance_steps(const Problem& problem) {
  const auto t = distance_terms<Interval<50>>(problem);
  return {{"A", t.mass},     {"1 - A", t.outside}, {"A (L-N) - (1-A)", t.excess},
          {"D", t.distance}, {"d1", t.spread},     {"X", t.radius}};
}

inline std::vector<Step> centred_steps(const Problem& problem) {
  std::vector<Step> steps = distance_steps(problem);
  const auto t = centred_terms<Interval<50>>(problem);
  steps.push_back({"||c|| (A (L-N) - (1-A))", t.core});
  steps.push_back({"sum_{i not in I} a_i ||x_i - c||", t.around});
  return steps;
}

}  // namespace attn::claims
