#pragma once

#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr auto kSoftmax = []<class S>(const CaseContext& context) {
  return SoftmaxGradient<S>(context);
};

/// ||J|| <= a_(2)/T.
inline constexpr auto kNormBelowSecond = of(kSoftmax, [](const auto& t) {
  return Sides{t.norm(), t.second()};
});

inline constexpr std::string_view kTwoEqualLogits = R"({"logits":["0","0"],"temperature":"1"})";

inline constexpr auto kStep = []<class S>(const CaseContext& context) {
  return softmax_step<S>(context);
};

/// g(T, epsilon) <= (sqrt(2)/epsilon) tanh(slope epsilon/sqrt(2)).
template <class S>
Sides<S> step_below(const CaseContext& context, const S& slope) {
  const auto step = softmax_step<S>(context);
  return {step.quotient, step_bound(slope, step.epsilon)};
}

}  // namespace attn::claims
