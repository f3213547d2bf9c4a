#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr auto kSoftmax = []<class S>(const CaseContext& problem) {
  return SoftmaxGradient<S>(problem);
};

inline std::vector<Step> softmax_steps(const CaseContext& problem) {
  const SoftmaxGradient<Interval> softmax(problem);
  return {{"a_(1)", softmax.w.a[0]},
          {"a_(2)", softmax.w.a[1]},
          {"max_i a_i (1 - a_i)", largest_entry(softmax.w)},
          {"||J||", softmax.norm()}};
}

inline constexpr std::string_view kTwoEqualLogits = R"({"logits":["0","0"],"temperature":"1"})";

inline constexpr auto kStep = []<class S>(const CaseContext& problem) {
  return softmax_step<S>(problem);
};

inline std::vector<Step> softmax_step_steps(const CaseContext& problem) {
  const auto step = softmax_step<Interval>(problem);
  return {{"g(T, epsilon)", step.quotient},
          {"1/(4T)", corollary3_sharp_bound(step.temperature) / 2},
          {"1/(2T)", corollary3_sharp_bound(step.temperature)},
          {"sqrt(2)/epsilon", sqrt_nonnegative(Interval(2)) / step.epsilon},
          {"(sqrt(2)/epsilon) tanh(epsilon/(2 sqrt(2) T))",
           step_bound(corollary3_sharp_bound(step.temperature), step.epsilon)}};
}

/// g(T, epsilon) <= (sqrt(2)/epsilon) tanh(slope epsilon/sqrt(2)).
template <class S>
Sides<S> step_below(const CaseContext& problem, const S& slope) {
  const auto step = softmax_step<S>(problem);
  return {step.quotient, step_bound(slope, step.epsilon)};
}

}  // namespace attn::claims
