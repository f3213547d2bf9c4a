#pragma once

#include <vector>

#include "theory/attention.hpp"
#include "theory/norm/softmax_norm.hpp"

namespace attn {

/// Softmax weights of a case, sorted for the secular equation.
template <class S>
SortedWeights<S> sorted_softmax(const Problem& problem) {
  const std::vector<S> f = normalize<S>(problem).value;
  SortedWeights<S> w;
  S others(0.0);
  for (std::size_t k = 1; k < f.size(); ++k) others += f[problem.order()[k]];
  const S sum = f[problem.order().front()] + others;
  for (const std::size_t i : problem.order()) w.a.push_back(f[i] / sum);
  w.rest = others / sum;
  w.top_tied = problem.top_tied();
  return w;
}

/// a_i (1 - a_i) for sorted weights, without cancellation for the largest.
template <class S>
S self_derivative(const SortedWeights<S>& w, std::size_t i) {
  return w.a[i] * (i == 0 ? w.rest : S(S(1.0) - w.a[i]));
}

/// max_i a_i (1 - a_i): the largest entry of |diag(a) - a a^T|, since a_i a_j <= a_i (1 - a_i).
/// a (1 - a) grows up to 1/2, so one of the two largest weights attains it.
template <class S>
S largest_entry(const SortedWeights<S>& w) {
  return max(self_derivative(w, 0), self_derivative(w, 1));
}

/// The printed bound of Corollary 3: min{1/(4T), sqrt 2}.
template <class S>
S corollary3_printed_bound(const S& temperature) {
  return min(S(S(1.0) / (S(4.0) * temperature)), sqrt_nonnegative(S(2.0)));
}

/// 1/(2T), attained at L = 2 with equal logits.
template <class S>
S corollary3_sharp_bound(const S& temperature) {
  return S(1.0) / (S(2.0) * temperature);
}

/// min(a_(1), max_i 2 a_i (1 - a_i)): above ||diag(a) - a a^T|| by interlacing and by Gershgorin.
template <class S>
S corollary3_local_upper(const SortedWeights<S>& w) {
  return min(w.a[0], S(S(2.0) * largest_entry(w)));
}

/// Right-hand side of Lemma 2: max|F'| (1/(L min F) + max F / (L (min F)^2)).
template <class S>
S lemma2_bound(const Normalized<S>& f) {
  S least = f.value.front();
  S most = f.value.front();
  S steepest(0.0);
  for (std::size_t i = 0; i < f.value.size(); ++i) {
    least = min(least, f.value[i]);
    most = max(most, f.value[i]);
    steepest = max(steepest, S(abs(f.derivative[i])));
  }
  const S count = from_count<S>(f.value.size());
  return steepest * (S(1.0) / (count * least) + most / (count * square(least)));
}

/// (1/2) max_j |F'_j / F_j|.
template <class S>
S lemma2_sharp_bound(const Normalized<S>& f) {
  S steepest(0.0);
  for (std::size_t i = 0; i < f.value.size(); ++i) {
    steepest = max(steepest, S(abs(f.derivative[i] / f.value[i])));
  }
  return steepest / S(2.0);
}

}  // namespace attn
