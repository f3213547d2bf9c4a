#pragma once

#include <vector>

#include "theory/attention/weights.hpp"
#include "theory/number/rationals.hpp"
#include "theory/number/sums.hpp"

namespace attn {

/// What Lemma 1 speaks of (claims lemma1.lower and lemma1.upper): F over [-a, a], and the weights.
template <class S>
struct DispersionTerms {
  S least;           ///< m = min F over [-a, a]
  S most;            ///< M = max F over [-a, a]
  S count;           ///< L
  S least_weight;    ///< min_i a_i
  S largest_weight;  ///< max_i a_i
};

/// a: the bound given, or max_i |l_i|.
inline Rational logit_bound(const CaseContext& context) {
  const Rational* const bound = context.logit_bound();
  return bound == nullptr ? largest_absolute(context.logits()) : *bound;
}

/// min F over [-a, a]. F increases, but for the Taylor polynomial, which is least at z = -1.
template <class S>
S least_value(const CaseContext& context, const Rational& bound) {
  const bool turns = context.normalizer() == Normalizer::taylor && bound >= context.temperature();
  const Rational at = turns ? Rational(-context.temperature()) : Rational(-bound);
  return NormalizerFunction<S>(context).value(at);
}

/// F over [-bound, bound].
template <class S>
DispersionTerms<S> dispersion_terms(const CaseContext& context, const Rational& bound) {
  const std::vector<S> a = attention_weights<S>(context);
  return {.least = least_value<S>(context, bound),
          .most = NormalizerFunction<S>(context).value(bound),
          .count = from_count<S>(a.size()),
          .least_weight = a[context.least()],
          .largest_weight = a[context.largest()]};
}

/// Lemma 1: m / (M L) and M / (m L).
template <class S>
S lemma1_lower_bound(const DispersionTerms<S>& t) {
  return t.least / (t.most * t.count);
}
template <class S>
S lemma1_upper_bound(const DispersionTerms<S>& t) {
  return t.most / (t.least * t.count);
}

/// Attained with one logit at one end and all others at the other: m / (m + (L-1) M), M / (M +
/// (L-1) m).
template <class S>
S lemma1_lower_sharp_bound(const DispersionTerms<S>& t) {
  return t.least / (t.least + (t.count - S(1.0)) * t.most);
}
template <class S>
S lemma1_upper_sharp_bound(const DispersionTerms<S>& t) {
  return t.most / (t.most + (t.count - S(1.0)) * t.least);
}

/// What the range D = max l - min l of the logits allows (corollary1.lower.sharp, .upper.sharp).
template <class S>
struct RangeTerms {
  S shrunk;  ///< exp(-D/T): that of D itself would overflow
  S others;  ///< L - 1
  S least_weight, largest_weight;
};

/// 1/(1 + (L-1) exp(D/T)), both parts times exp(-D/T).
template <class S>
S corollary1_lower_sharp_bound(const RangeTerms<S>& t) {
  return t.shrunk / (t.shrunk + t.others);
}

/// 1/(1 + (L-1) exp(-D/T)).
template <class S>
S corollary1_upper_sharp_bound(const RangeTerms<S>& t) {
  return S(1.0) / S(S(1.0) + t.others * t.shrunk);
}

/// 2 Delta / T of Corollary 1, Delta = ||q|| max_j ||k_j||.
template <class S>
S twice_delta(const CaseContext& context) {
  Rational longest = 0;
  for (const auto& key : context.keys()) {
    const Rational squared = squared_norm(key);
    if (squared > longest) longest = squared;
  }
  const Rational t2 = context.temperature() * context.temperature();
  return sqrt_nonnegative(from<S>(Rational(4 * squared_norm(context.query()) * longest / t2)));
}

/// How far softmax weights are from 1/L each. Where all logits are equal all of it is exactly 0.
template <class S>
struct Deviation {
  S total_variation{};  ///< TV = (1/2) sum_i |a_i - 1/L|
  S largest{};          ///< max_i |a_i - 1/L|
  S entropy{};          ///< log L - H(a) = sum_i a_i log(L a_i)
};

/// exp(-behind_i). [L]
template <class S>
std::vector<S> decays(const std::vector<S>& behind) {
  using std::exp;
  std::vector<S> decay;
  decay.reserve(behind.size());
  for (const S& gap : behind) decay.push_back(exp(S(-gap)));
  return decay;
}

/// `behind`: (l - l_i)/T of each token about one logit l, best the largest. [L], L >= 2. `decay`:
/// its decays().
template <class S>
Deviation<S> deviation(const std::vector<S>& behind, const std::vector<S>& decay) {
  const S count = from_count<S>(behind.size());
  // a_i - 1/L = (F_i - mean F) / sum F for F_i = exp(-behind_i), where F_i - 1 keeps the digits of
  // a small behind_i; and log(L a_i) = -behind_i - log(mean F).
  std::vector<S> from_mean(behind.size());
  for (std::size_t i = 0; i < behind.size(); ++i) from_mean[i] = expm1(S(-behind[i]));
  const S mean_lost = sum_of(from_mean) / count;
  for (S& lost : from_mean) lost = abs(S(lost - mean_lost));
  const S largest =
      max_of<S>(from_mean.size(), [&](std::size_t i) -> const S& { return from_mean[i]; });
  const S sum = sum_of(decay);
  const S delay = sum_of<S>(decay.size(), [&](std::size_t i) { return S(decay[i] * behind[i]); });
  return {.total_variation = sum_of(from_mean) / (S(2.0) * sum),
          .largest = largest / sum,
          .entropy = -(delay / sum) - log_positive(S(sum / count))};
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
  using std::exp;
  const S rest = from_count<S>(others) * exp(S(-gap));
  return log1p(rest) + gap * rest / (S(1.0) + rest);
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
