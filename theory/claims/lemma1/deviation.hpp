#pragma once

#include <vector>

#include "theory/attention/ranked.hpp"
#include "theory/claims/define.hpp"
#include "theory/claims/least_absolute.hpp"

namespace attn::claims {

/// How far softmax weights are from 1/L each. Where all logits are equal all of it is exactly 0.
template <class S>
struct Deviation {
  S total_variation{};  ///< TV = (1/2) sum_i |a_i - 1/L|
  S largest{};          ///< max_i |a_i - 1/L|
  S entropy{};          ///< log L - H(a) = sum_i a_i log(L a_i)
};

template <class S>
Deviation<S> deviation(const Problem& problem) {
  using std::exp;
  const S count = from_count<S>(problem.tokens());
  // About the largest logit, with F_i = exp(-b_i): a_i - 1/L = (F_i - mean F) / sum F, where F_i -
  // 1 keeps the digits of small b_i; and log(L a_i) = -b_i - log(mean F).
  std::vector<S> behind;
  std::vector<S> lost;
  S sum(0.0);
  S sum_lost(0.0);
  for (std::size_t rank = 0; rank < problem.tokens(); ++rank) {
    behind.push_back(logit_gap<S>(problem, 0, rank));
    lost.push_back(expm1(S(-behind.back())));
    sum += exp(S(-behind.back()));
    sum_lost += lost.back();
  }
  const S mean_lost = sum_lost / count;
  Deviation<S> d;
  for (std::size_t rank = 0; rank < lost.size(); ++rank) {
    const S from_mean = abs(S(lost[rank] - mean_lost)) / sum;
    d.total_variation += from_mean / S(2.0);
    d.largest = max(d.largest, from_mean);
    d.entropy -= exp(S(-behind[rank])) / sum * behind[rank];
  }
  d.entropy -= log_positive(S(sum / count));
  return d;
}

/// (max l - min l)/T.
inline Rational scaled_range(const Problem& problem) {
  const auto& l = problem.logits();
  return (l[problem.order().front()] - l[problem.order().back()]) / problem.temperature();
}

/// min_i |l_i|/T.
inline Rational least_scaled(const Problem& problem) {
  return least_absolute(problem.logits()) / problem.temperature();
}

inline std::vector<Step> deviation_steps(const Problem& problem) {
  const auto d = deviation<Interval<50>>(problem);
  return {{"(max l - min l)/T", from<Interval<50>>(scaled_range(problem))},
          {"TV(a, uniform)", d.total_variation},
          {"log L - H(a)", d.entropy}};
}

}  // namespace attn::claims
