#pragma once

#include <type_traits>
#include <vector>

#include "theory/attention/weights.hpp"
#include "theory/number/squared_norm.hpp"
#include "theory/number/tanh.hpp"

namespace attn {

/// How far softmax moves with the logits (claims, corollary3.step).
template <class S>
struct SoftmaxStep {
  S quotient;     ///< g(T, epsilon) = ||softmax((l + epsilon v)/T) - softmax(l/T)|| / epsilon
  S epsilon;      ///< length of the step
  S temperature;  ///< T
};

/// softmax(z + delta) - softmax(z), a = softmax(z), where delta is exactly 0 for the token of the
/// largest weight: with e_i = exp(delta_i) - 1 and m = sum_j a_j e_j it is a_i (e_i - m)/(1 + m).
/// No digits cancel, however short or long the step is or however small all weights but one: 1 + m
/// is at least the largest weight, the change of which is -m over it. [L]
///
/// Where a double exp(delta_i) would overflow, e_i = exp(delta_i - max_j delta_j) and m = sum_j a_j
/// e_j, and it is a_i (e_i - m)/m, which loses the digits of a weight that hardly moves.
template <class S>
std::vector<S> softmax_change(const std::vector<S>& a, const std::vector<S>& delta) {
  using std::exp;
  using std::expm1;
  constexpr double kLargest = 700;
  S most(0.0);
  for (const S& step : delta) most = max(most, step);
  const bool overflows =
      std::is_same_v<Point<S>, double> && ScalarTraits<S>::lower(most) > kLargest;
  std::vector<S> growth;
  growth.reserve(a.size());
  S mean(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    growth.push_back(overflows ? S(exp(S(delta[i] - most))) : S(expm1(delta[i])));
    mean += a[i] * growth[i];
  }
  const S total = overflows ? mean : S(S(1.0) + mean);
  std::vector<S> change;
  change.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    change.push_back(a[i] * (growth[i] - mean) / total);
  }
  return change;
}

/// How far two points of the simplex can be apart for each unit of epsilon, where the slope at
/// epsilon -> 0 is `slope`: (sqrt(2)/epsilon) tanh(slope epsilon/sqrt(2)). The bound of
/// corollary3.step, with slope 1/(2T).
template <class S>
S step_bound(const S& slope, const S& epsilon) {
  const S diameter = sqrt_nonnegative(S(2.0));
  return diameter / epsilon * tanh_nonnegative(S(slope * epsilon / diameter));
}

/// g(T, length) along the case's direction v, which is normalised first.
template <class S>
SoftmaxStep<S> softmax_step(const CaseContext& problem, const Rational& length) {
  const auto& v = problem.direction();
  const S epsilon = from<S>(length);
  const S temperature = from<S>(problem.temperature());
  const S slope = from<S>(Rational(length / problem.temperature())) /
                  sqrt_nonnegative(from<S>(squared_norm(v)));
  // Softmax does not see what all logits move by.
  const Rational& of_largest = v[problem.largest()];
  std::vector<S> delta;
  delta.reserve(v.size());
  for (const Rational& entry : v) delta.push_back(from<S>(Rational(entry - of_largest)) * slope);
  const std::vector<S> change = softmax_change(attention_weights<S>(problem), delta);
  return {length_of(change) / epsilon, epsilon, temperature};
}

/// The same for the case's own epsilon.
template <class S>
SoftmaxStep<S> softmax_step(const CaseContext& problem) {
  return softmax_step<S>(problem, problem.epsilon());
}

}  // namespace attn
