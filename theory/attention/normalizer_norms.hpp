#pragma once

#include <algorithm>
#include <vector>

#include "theory/attention/jacobian.hpp"

namespace attn {

/// ||J|| of softmax1, a_i = exp(z_i) / (1 + sum_j exp(z_j)): J = (diag a - a a^T)/T.
template <class S>
S softmax1_norm(const CaseContext& problem) {
  const auto [a, rest] = exponential_weights<S>(problem.scaled_logits(), 1);
  return spectral_norm(quotient_jacobian(a, a, rest)) / from<S>(problem.temperature());
}

/// ||J|| of sigmoid attention, sigma(z_i - ln L): J is diagonal, with entries u/(T (1 + u)^2) for
/// u = L exp(-z_i), which is the same for 1/u.
template <class S>
S sigmoid_attention_norm(const CaseContext& problem) {
  using std::exp;
  const S count = from_count<S>(problem.tokens());
  S steepest(0.0);
  for (const Rational& z : problem.scaled_logits()) {
    const S u = z < 0 ? S(exp(from<S>(z)) / count) : S(count * exp(from<S>(Rational(-z))));
    steepest = max(steepest, S(u / square(S(S(1.0) + u))));
  }
  return steepest / from<S>(problem.temperature());
}

/// 1.5-entmax: J = (diag u - u u^T / sum u)/T, u_i = sqrt(a_i). The weights are squares, so that J
/// is continuous where a token enters the support.
template <class S>
struct Entmax {
  S norm;          ///< ||J||
  S largest_root;  ///< u_1 = max_i sqrt(a_i)
  S sum;           ///< sum u
  S local_upper;   ///< u_1 (1 - (u_1 - u_2)/sum u), u_1 >= u_2 the two largest
};

template <class S>
Entmax<S> entmax_terms(const CaseContext& problem) {
  const std::vector<S> u = entmax_roots<S>(problem);
  const auto& tokens = problem.support().tokens;
  const S& top = u[tokens.front()];
  if (tokens.size() == 1) return {S(0.0), top, top, S(0.0)};
  S others(0.0);
  for (std::size_t k = 1; k < tokens.size(); ++k) others += u[tokens[k]];
  const S sum = top + others;
  SortedWeights<S> w;
  for (const std::size_t i : tokens) w.a.push_back(u[i] / sum);
  w.rest = others / sum;
  const auto& l = problem.logits();
  w.top_tied = l[tokens[0]] == l[tokens[1]];
  w.others_tied = l[tokens[1]] == l[tokens.back()];
  return {.norm = softmax_jacobian_norm(w) * sum / from<S>(problem.temperature()),
          .largest_root = top,
          .sum = sum,
          .local_upper = corollary3_local_upper(w) * sum};
}

}  // namespace attn
