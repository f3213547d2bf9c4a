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

/// The entropy of softmax of one logit and of others behind it by `behind` each: log1p of what
/// these have, so that the little of a row that has one token alone keeps its digits.
template <class S>
S entropy_behind(const std::vector<S>& behind) {
  using std::exp;
  S others(0.0);
  S delay(0.0);
  for (const S& gap : behind) {
    const S f = exp(S(-gap));
    others += f;
    delay += f * gap;
  }
  return log1p(others) + delay / (S(1.0) + others);
}

/// -p log p of p > 0, where p is 1 less `others`: log(1/p) = log1p(others/p), which keeps the
/// digits of a p next to 1.
template <class S>
S surprise(const S& p, const S& others) {
  return p * log1p(S(others / p));
}

/// The bound of mass.fano, h(A) + A log N + (1-A) log(L-N): `inside` is A, `outside` 1 - A.
template <class S>
S fano_bound(const S& inside, const S& outside, std::size_t selected, std::size_t others) {
  return surprise(inside, outside) + surprise(outside, inside) +
         inside * log_positive(from_count<S>(selected)) +
         outside * log_positive(from_count<S>(others));
}

/// The bound of entropy.lower: of one logit that is `gap` above all `others`.
template <class S>
S least_entropy(const S& gap, std::size_t others) {
  return entropy_behind(std::vector<S>(others, gap));
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
