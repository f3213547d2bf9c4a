#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::vector<Step> softmax_steps(const CaseContext& problem) {
  const SoftmaxGradient<Interval> softmax(problem);
  return {{"a_(1)", softmax.w.a[0]},
          {"a_(2)", softmax.w.a[1]},
          {"max_i a_i (1 - a_i)", largest_entry(softmax.w)},
          {"||J||", softmax.norm()}};
}

inline constexpr std::string_view kTwoEqualLogits = R"({"logits":["0","0"],"temperature":"1"})";

}  // namespace attn::claims
