#pragma once

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/weights.hpp"
#include "theory/number/sums.hpp"

namespace attn {

// What a formula says of a softmax row by rank: 0 is the token of the largest weight. What is tied
// is exactly 0, which an enclosure of a difference of two weights could not show.

/// (l_(i) - l_(j)) / T. Ranks i, j < L; where i < j it is not negative. [L]
template <class S>
S logit_gap(const CaseContext& context, std::size_t i, std::size_t j) {
  const auto& order = context.order();
  const Rational gap = context.logits()[order.at(i)] - context.logits()[order.at(j)];
  return from<S>(Rational(gap / context.temperature()));
}

/// a_(i) - a_(j) of softmax, as a_(i) (1 - exp(-gap)), so that close weights keep their digits.
/// Ranks i, j < L. [L]
template <class S>
S weight_difference(const CaseContext& context, std::size_t i, std::size_t j) {
  using std::expm1;
  const auto weights = attention_weights<S>(context);
  return weights[context.order().at(i)] * -expm1(-logit_gap<S>(context, i, j));
}

/// Softmax of the case's logits at a temperature of one's choice, by rank.
template <class S>
struct SoftmaxAt {
  SortedWeights<S> weights;
  std::vector<S> behind;  ///< (l_(1) - l_(i)) / T, not negative. [L]
  S others{0.0};          ///< sum of exp(-behind) over all but the first: 1/a_(1) = 1 + others
  std::size_t tied{1};    ///< how many logits are the largest

  SoftmaxAt(const CaseContext& context, const Rational& temperature) {
    using std::exp;
    const auto& order = context.order();
    const Rational& top = context.logits()[order.front()];
    behind.reserve(order.size());
    weights.a.reserve(order.size());
    for (const std::size_t i : order) {
      behind.push_back(from<S>(Rational((top - context.logits()[i]) / temperature)));
      weights.a.push_back(exp(-behind.back()));
    }
    for (std::size_t i = 1; i < behind.size(); ++i) {
      others += weights.a[i];
      if (context.logits()[order[i]] == top) ++tied;
    }
    const S sum = S(1.0) + others;
    for (S& weight : weights.a) weight /= sum;
    weights.rest = others / sum;
    weights.top_tied = context.top_tied();
  }

  /// H = -sum_i a_i log a_i, in nats, as a sum of terms that are not negative: log k of k logits
  /// that are the largest, and what the others add.
  [[nodiscard]] S entropy() const {
    const S most = from_count<S>(tied);
    S entropy = tied == 1 ? S(log1p(others))
                          : S(log_positive(most) + log1p(S((others - S(most - S(1.0))) / most)));
    for (std::size_t i = 1; i < behind.size(); ++i) entropy += weights.a[i] * behind[i];
    return entropy;
  }
};

/// Softmax at the case's temperature.
template <class S>
decltype(auto) own_softmax(const CaseContext& context) {
  return context.once<S>([&] { return SoftmaxAt<S>(context, context.temperature()); });
}

/// Softmax at the case's lower temperature.
template <class S>
decltype(auto) colder_softmax(const CaseContext& context) {
  return context.once<S>([&] { return SoftmaxAt<S>(context, context.colder()); });
}

/// Names what a claim on two temperatures assumes of them where the case does not meet it; else
/// empty.
inline std::string_view breaks_order_of_temperatures(const CaseContext& context) {
  return context.colder() < context.temperature() ? std::string_view{} : "T' < T";
}

/// What a claim assumes of the range of the logits that is to leave the least exponential below a
/// thousandth of the largest: as exp(-7) is.
inline constexpr int kWideRange = 7;
inline constexpr std::string_view kWide = "(max l - min l)/T >= 7";

inline std::string_view narrow_range(const CaseContext& context) {
  const auto [least, most] = std::ranges::minmax_element(context.logits());
  return *most - *least >= kWideRange * context.temperature() ? std::string_view{} : kWide;
}

/// How far softmax moves with the logits (claim corollary3.step).
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

/// softmax((l + h)/T) - softmax(l/T), h the step of the case. [L]
template <class S>
std::vector<S> change_by_step(const CaseContext& context) {
  const auto& h = context.step();
  const Rational& of_largest = h[context.largest()];
  std::vector<S> delta;
  delta.reserve(h.size());
  for (const Rational& entry : h) {
    delta.push_back(from<S>(Rational((entry - of_largest) / context.temperature())));
  }
  return softmax_change(attention_weights<S>(context), delta);
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
SoftmaxStep<S> softmax_step(const CaseContext& context, const Rational& length) {
  const auto& v = context.direction();
  const S epsilon = from<S>(length);
  const S temperature = from<S>(context.temperature());
  const S slope = from<S>(Rational(length / context.temperature())) /
                  sqrt_nonnegative(from<S>(squared_norm(v)));
  // Softmax does not see what all logits move by.
  const Rational& of_largest = v[context.largest()];
  std::vector<S> delta;
  delta.reserve(v.size());
  for (const Rational& entry : v) delta.push_back(from<S>(Rational(entry - of_largest)) * slope);
  const std::vector<S> change = softmax_change(attention_weights<S>(context), delta);
  return {length_of(change) / epsilon, epsilon, temperature};
}

/// g(T, epsilon) along the case's direction v, which is normalised first, for the case's own
/// epsilon.
template <class S>
SoftmaxStep<S> softmax_step(const CaseContext& context) {
  return softmax_step<S>(context, context.epsilon());
}

}  // namespace attn
