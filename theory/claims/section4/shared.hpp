#pragma once

#include <algorithm>
#include <vector>

#include "theory/attention/dispersion.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

// The largest weight of a row, before and after more logits come.

/// The largest logit before those that are appended.
inline const Rational& largest_before(const CaseContext& context) {
  return context.logits()[context.largest()];
}

/// exp((logit - other)/T).
template <class S>
S beside(const CaseContext& context, const Rational& logit, const Rational& other) {
  using std::exp;
  return exp(from<S>(Rational((logit - other) / context.temperature())));
}

/// sum_j exp((b_j - l)/T) over the appended logits b_j, l the largest logit before them.
template <class S>
S appended_sum(const CaseContext& context) {
  const Rational& largest = largest_before(context);
  S sum(0.0);
  for (const Rational& logit : context.appended()) sum += beside<S>(context, logit, largest);
  return sum;
}

/// sum_i exp((l_i - l)/T) over the logits before those that are appended, but for the largest, l:
/// 1 less than what divides the largest weight, which is 1/(1 + this).
template <class S>
const S& others_before(const CaseContext& context) {
  return context.once<S>([&] {
    const Rational& largest = largest_before(context);
    S sum(0.0);
    for (const Rational& logit : context.logits()) {
      if (&logit != &largest) sum += beside<S>(context, logit, largest);
    }
    return sum;
  });
}

/// The largest of all weights once the appended logits are read: 1/(1 + what the others are beside
/// the largest).
template <class S>
S peak_of_all(const CaseContext& context) {
  const std::vector<Rational>& appended = context.appended();
  const Rational& most = *std::ranges::max_element(appended);
  const Rational& largest = largest_before(context);
  const S before = S(1.0) + others_before<S>(context);
  if (most <= largest) return S(1.0) / (before + appended_sum<S>(context));
  S others = before * beside<S>(context, largest, most);
  for (const Rational& logit : appended) {
    if (&logit != &most) others += beside<S>(context, logit, most);
  }
  return S(1.0) / (S(1.0) + others);
}

// Entropies of sparse weights.

/// H(p) of weights of sum 1 that are 0 but at `tokens`, the largest first. Of one token it is
/// exactly 0.
template <class S>
S sparse_entropy(const std::vector<S>& p, const std::vector<std::size_t>& tokens) {
  if (tokens.size() == 1) return S(0.0);
  S others(0.0);
  S entropy(0.0);
  for (std::size_t k = 1; k < tokens.size(); ++k) {
    const S& weight = p[tokens[k]];
    others += weight;
    entropy -= weight * log_positive(weight);
  }
  return entropy + surprise(p[tokens.front()], others);
}

/// H of sparsemax, of a case of that.
template <class S>
S sparsemax_entropy(const CaseContext& context) {
  return sparse_entropy(attention_weights<S>(context), context.support().tokens);
}

/// 1.5-entmax of the case's logits over a temperature.
template <class S>
struct EntmaxAt {
  Support support;
  std::vector<S> weights;  ///< [L]

  EntmaxAt(const CaseContext& context, const Rational& temperature) {
    std::vector<Rational> z = context.logits();
    for (Rational& logit : z) logit /= temperature;
    support = entmax_support(z);
    weights = entmax_roots<S>(z, support);
    for (S& root : weights) root = square(root);
  }

  [[nodiscard]] S entropy() const { return sparse_entropy(weights, support.tokens); }
  /// -log of the largest weight.
  [[nodiscard]] S least_surprise() const {
    S others(0.0);
    for (std::size_t k = 1; k < support.tokens.size(); ++k) others += weights[support.tokens[k]];
    return log1p(S(others / weights[support.tokens.front()]));
  }
};

template <class S>
S softmax_entropy_at(const CaseContext& context, const Rational& temperature) {
  return SoftmaxAt<S>(context, temperature).entropy();
}

}  // namespace attn::claims
