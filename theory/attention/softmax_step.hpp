#pragma once

#include <vector>

#include "theory/attention/weights.hpp"
#include "theory/number/squared_norm.hpp"

namespace attn {

/// How far softmax moves with the logits (claims, corollary3.step).
template <class S>
struct SoftmaxStep {
  S quotient;     ///< g(T, epsilon) = ||softmax((l + epsilon v)/T) - softmax(l/T)|| / epsilon
  S epsilon;      ///< length of the step
  S temperature;  ///< T
};

namespace detail {

/// softmax(z + delta) - softmax(z) for |delta| <= 1, through expm1 so that small steps keep their
/// digits: with e_i = exp(delta_i) - 1, a_i (e_i - sum_j a_j e_j) / (1 + sum_j a_j e_j).
template <class S>
std::vector<S> small_change(const std::vector<S>& a, const std::vector<S>& delta) {
  std::vector<S> growth;
  S mean(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    growth.push_back(expm1(delta[i]));
    mean += a[i] * growth[i];
  }
  std::vector<S> change;
  for (std::size_t i = 0; i < a.size(); ++i) {
    change.push_back(a[i] * (growth[i] - mean) / (S(1.0) + mean));
  }
  return change;
}

/// The same for any step: softmax anew, from logits about the highest one, which is exactly 0.
/// `slope`: how much a logit moves for each unit of the direction.
template <class S>
std::vector<S> large_change(const Problem& problem, const std::vector<S>& a, const S& slope) {
  using std::exp;
  const auto moved = [&](std::size_t i, std::size_t from_token) -> S {
    const Rational z = (problem.logits()[i] - problem.logits()[from_token]) / problem.temperature();
    const Rational v = problem.direction()[i] - problem.direction()[from_token];
    return from<S>(z) + from<S>(v) * slope;
  };
  std::size_t highest = 0;
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (ScalarTraits<S>::middle(moved(i, highest)) > 0) highest = i;
  }
  std::vector<S> f;
  for (std::size_t i = 0; i < a.size(); ++i) f.push_back(exp(moved(i, highest)));
  std::vector<S> change = weights_of(f);
  for (std::size_t i = 0; i < a.size(); ++i) change[i] -= a[i];
  return change;
}

/// tanh(x) for x >= 0, with all digits of a small x.
template <class S>
S tanh_nonnegative(const S& x) {
  const S decay = expm1(S(S(-2.0) * x));
  return -decay / (S(2.0) + decay);
}

}  // namespace detail

/// How far two points of the simplex can be apart for each unit of epsilon, where the slope at
/// epsilon -> 0 is `slope`: (sqrt(2)/epsilon) tanh(slope epsilon/sqrt(2)). The bound of
/// corollary3.step, with slope 1/(2T).
template <class S>
S step_bound(const S& slope, const S& epsilon) {
  const S diameter = sqrt_nonnegative(S(2.0));
  return diameter / epsilon * detail::tanh_nonnegative(S(slope * epsilon / diameter));
}

/// g(T, epsilon) along the case's direction v, which is normalised first.
template <class S>
SoftmaxStep<S> softmax_step(const Problem& problem) {
  const S length = sqrt_nonnegative(from<S>(squared_norm(problem.direction())));
  const Rational pace = problem.epsilon() / problem.temperature();
  const S slope = from<S>(pace) / length;
  std::vector<S> delta;
  for (const Rational& v : problem.direction()) delta.push_back(from<S>(v) * slope);
  const std::vector<S> a = attention_weights<S>(problem);
  const std::vector<S> change =
      pace <= 1 ? detail::small_change(a, delta) : detail::large_change(problem, a, slope);
  const S epsilon = from<S>(problem.epsilon());
  return {sqrt_nonnegative(squared_norm(change)) / epsilon, epsilon,
          from<S>(problem.temperature())};
}

}  // namespace attn
