#pragma once

#include <vector>

#include "theory/number/scalar.hpp"
#include "theory/number/squared_norm.hpp"
#include "theory/number/tanh.hpp"

namespace attn {

/// How far softmax weights are from 1/L each. Where all logits are equal all of it is exactly 0.
template <class S>
struct Deviation {
  S total_variation{};  ///< TV = (1/2) sum_i |a_i - 1/L|
  S largest{};          ///< max_i |a_i - 1/L|
  S entropy{};          ///< log L - H(a) = sum_i a_i log(L a_i)
};

/// `behind`: (l - l_i)/T of each token about one logit l, best the largest. [L], L >= 2
template <class S>
Deviation<S> deviation(const std::vector<S>& behind) {
  using std::exp;
  const S count = from_count<S>(behind.size());
  // a_i - 1/L = (F_i - mean F) / sum F for F_i = exp(-behind_i), where F_i - 1 keeps the digits of
  // a small behind_i; and log(L a_i) = -behind_i - log(mean F).
  std::vector<S> lost;
  lost.reserve(behind.size());
  S sum(0.0);
  S sum_lost(0.0);
  for (const S& gap : behind) {
    lost.push_back(expm1(S(-gap)));
    sum += exp(S(-gap));
    sum_lost += lost.back();
  }
  const S mean_lost = sum_lost / count;
  Deviation<S> d;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    const S from_mean = abs(S(lost[i] - mean_lost)) / sum;
    d.total_variation += from_mean / S(2.0);
    d.largest = larger(d.largest, from_mean);
    d.entropy -= exp(S(-behind[i])) / sum * behind[i];
  }
  d.entropy -= log_positive(S(sum / count));
  return d;
}

/// The bound of lemma1.uniform.repaired on TV: tanh(range/4), range = (max l - min l)/T.
template <class S>
S total_variation_bound(const S& range) {
  return tanh_nonnegative(S(range / S(4.0)));
}

/// The bound of lemma1.entropy: range^2/8.
template <class S>
S entropy_bound(const S& range) {
  return square(range) / S(8.0);
}

}  // namespace attn
