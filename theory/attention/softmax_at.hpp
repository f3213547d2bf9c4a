#pragma once

#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/weights.hpp"

namespace attn {

/// Softmax of the case's logits at a temperature of one's choice, by rank.
template <class S>
struct SoftmaxAt {
  SortedWeights<S> weights;
  std::vector<S> behind;  ///< (l_(1) - l_(i)) / T, not negative. [L]
  S others{0.0};          ///< sum of exp(-behind) over all but the first: 1/a_(1) = 1 + others

  SoftmaxAt(const CaseContext& problem, const Rational& temperature) {
    using std::exp;
    const auto& order = problem.order();
    const Rational& top = problem.logits()[order.front()];
    behind.reserve(order.size());
    weights.a.reserve(order.size());
    for (const std::size_t i : order) {
      behind.push_back(from<S>(Rational((top - problem.logits()[i]) / temperature)));
      weights.a.push_back(exp(-behind.back()));
    }
    for (std::size_t i = 1; i < behind.size(); ++i) others += weights.a[i];
    const S sum = S(1.0) + others;
    for (S& weight : weights.a) weight /= sum;
    weights.rest = others / sum;
    weights.top_tied = problem.top_tied();
  }

  /// H = -sum_i a_i log a_i, in nats, as a sum of terms that are not negative.
  [[nodiscard]] S entropy() const {
    S entropy = log1p(others);
    for (std::size_t i = 1; i < behind.size(); ++i) entropy += weights.a[i] * behind[i];
    return entropy;
  }
};

/// What a claim on two temperatures assumes of them.
inline std::string_view breaks_order_of_temperatures(const CaseContext& problem) {
  return problem.colder() < problem.temperature() ? std::string_view{} : "T' < T";
}

}  // namespace attn
