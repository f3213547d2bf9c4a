#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "theory/attention/normalizer.hpp"
#include "theory/number/exact.hpp"

namespace attn {

/// a_i = F_i / sum_j F_j.
template <class S>
std::vector<S> weights_of(const std::vector<S>& f) {
  const S sum = std::accumulate(f.begin(), f.end(), S(0));
  std::vector<S> weights;
  weights.reserve(f.size());
  for (const S& value : f) weights.push_back(value / sum);
  return weights;
}

/// softmax(z), whose exponentials are taken about the largest z. [L]
template <class S>
std::vector<S> softmax_of(const std::vector<Rational>& z) {
  using std::exp;
  const Rational top = *std::ranges::max_element(z);
  std::vector<S> f;
  f.reserve(z.size());
  for (const Rational& value : z) f.push_back(exp(from<S>(Rational(value - top))));
  return weights_of(f);
}

template <class S>
std::vector<S> enclosed(const std::vector<Rational>& values) {
  std::vector<S> result;
  result.reserve(values.size());
  for (const Rational& value : values) result.push_back(from<S>(value));
  return result;
}

/// u_i = sqrt(a_i) of 1.5-entmax of z, of which `support` is: z_i/2 - tau there, 0 elsewhere. [L]
template <class S>
std::vector<S> entmax_roots(const std::vector<Rational>& z, const Support& support) {
  const S rise = sqrt_nonnegative(from<S>(support.rise));
  std::vector<S> u(z.size(), S(0.0));
  for (const std::size_t i : support.tokens) {
    u[i] = from<S>(Rational(z[i] / 2 - support.mean)) + rise;
  }
  return u;
}

/// u_i = sqrt(a_i) of the 1.5-entmax of a case. [L]
template <class S>
std::vector<S> entmax_roots(const CaseContext& context) {
  return entmax_roots<S>(context.scaled_logits(), context.support());
}

template <class S>
struct Softmax1Weights {
  std::vector<S> a;  ///< [L]
  S rest;            ///< 1 - sum_i a_i
};

/// exp(z_i) / (1 + sum_j exp(z_j)), about the largest exponent.
template <class S>
Softmax1Weights<S> softmax1_weights(const std::vector<Rational>& z) {
  using std::exp;
  const Rational top = max(*std::ranges::max_element(z), 0);
  Softmax1Weights<S> w{{}, exp(from<S>(Rational(-top)))};
  w.a.reserve(z.size());
  S sum = w.rest;
  for (const Rational& value : z) {
    w.a.push_back(exp(from<S>(Rational(value - top))));
    sum += w.a.back();
  }
  for (S& weight : w.a) weight /= sum;
  w.rest /= sum;
  return w;
}

/// (z_i - min(z, 0)) / (max(z, 0) - min(z, 0)) of Self-Adjusted Softmax; not all z are 0. [L]
std::vector<Rational> self_adjustment(const std::vector<Rational>& z);

/// The weights of Self-Adjusted Softmax; not all z are 0. [L]
template <class S>
std::vector<S> self_adjusted_weights(const std::vector<Rational>& z) {
  std::vector<S> a = softmax_of<S>(z);
  const std::vector<Rational> factor = self_adjustment(z);
  for (std::size_t i = 0; i < z.size(); ++i) a[i] *= from<S>(factor[i]);
  return a;
}

/// 1 / (1 + L exp(-z_i)), by the exponential that stays below 1. [L]
template <class S>
std::vector<S> sigmoid_attention_weights(const std::vector<Rational>& z) {
  using std::exp;
  const S count = from_count<S>(z.size());
  std::vector<S> a;
  a.reserve(z.size());
  for (const Rational& value : z) {
    const S e = exp(from<S>(Rational(-abs(value))));
    a.push_back(value < 0 ? S(e / (e + count)) : S(S(1.0) / (S(1.0) + count * e)));
  }
  return a;
}

/// max(z_i, 0) / L. [L]
std::vector<Rational> relu_attention(std::vector<Rational> z);

/// The weights of a case, given or computed from its logits, by any normaliser that needs nothing
/// else: not by pooling, which has a gain, or by the polynomial, which has a degree. [L]
template <class S>
std::vector<S> attention_weights(const CaseContext& context);

// Compiled once, in weights.cpp.
extern template std::vector<ErrorDouble> attention_weights(const CaseContext&);
extern template std::vector<Interval> attention_weights(const CaseContext&);
extern template std::vector<Exact> attention_weights(const CaseContext&);

bool all_logits_equal(const CaseContext& context);

/// The weights where they are rational: given as such, of the Taylor normaliser, of sparsemax, of
/// ReLU attention, of Scalable-Softmax some, of entmax where those that are not 0 are equal, or all
/// equal with sum one. Zeros that come from cancellation then stay exact, which no enclosure can
/// show. [L]
std::optional<std::vector<Rational>> rational_weights(const CaseContext& context);

/// Which tokens have a weight other than 0; empty where that is not known. [L]
std::vector<bool> known_support(const CaseContext& context);

/// Weights as rationals times one number.
template <class S>
struct ScaledWeights {
  std::vector<Rational> share;  ///< [L]
  S scale;
};

/// The weights as such, where they are rational or all equal.
template <class S>
std::optional<ScaledWeights<S>> scaled_weights(const CaseContext& context) {
  if (auto a = rational_weights(context)) return ScaledWeights<S>{std::move(*a), S(1.0)};
  if (!all_logits_equal(context)) return std::nullopt;
  return ScaledWeights<S>{std::vector<Rational>(context.tokens(), Rational(1)),
                          attention_weights<S>(context).front()};
}

}  // namespace attn
