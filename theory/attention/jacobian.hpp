#pragma once

#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/norm/spectral_norm.hpp"
#include "theory/attention/weights.hpp"

namespace attn {

/// Weights of a case by a normaliser F / sum F, sorted for the secular equation.
template <class S>
SortedWeights<S> sorted_softmax(const CaseContext& problem) {
  const std::vector<S> f = normalizer_values<S>(problem);
  const std::vector<std::size_t>& order = problem.order();
  SortedWeights<S> w;
  S others(0.0);
  for (std::size_t k = 1; k < f.size(); ++k) others += f[order[k]];
  const S sum = f[order.front()] + others;
  w.a.reserve(f.size());
  for (const std::size_t i : order) w.a.push_back(f[i] / sum);
  w.rest = others / sum;
  w.top_tied = problem.top_tied();
  w.others_tied = problem.others_tied();
  return w;
}

/// Whether the two largest weights tie, or all but the largest: where the norm of diag a - a a^T is
/// max(a_(2), L/(L-1) a_(1) (1 - a_(1))) and a_(1) (1 - a_(1) + a_(2)).
inline bool ties_at_an_end(const CaseContext& problem) {
  return problem.top_tied() || problem.others_tied();
}

/// Where softmax has a weight of 1/2, and nowhere else: exponentials of distinct rationals are
/// linearly independent over the rationals.
inline bool has_two_equal_logits(const CaseContext& problem) {
  return problem.tokens() == 2 && all_logits_equal(problem);
}

/// J of weights a_i = F_i/S with S = rest S + sum_j F_j, entry by entry: J_ij = delta_ij F'_i/S -
/// a_i F'_j/S. `slopes`: F'_j/S. [L]
template <class S>
Matrix<S> quotient_jacobian(const std::vector<S>& a, const std::vector<S>& slopes, const S& rest) {
  const auto n = static_cast<Eigen::Index>(a.size());
  Matrix<S> j(n, n);
  for (Eigen::Index col = 0; col < n; ++col) {
    const S& slope = slopes[static_cast<std::size_t>(col)];
    S others = rest;
    for (Eigen::Index row = 0; row < n; ++row) {
      if (row == col) continue;
      const S& weight = a[static_cast<std::size_t>(row)];
      j(row, col) = -(weight * slope);
      others += weight;
    }
    j(col, col) = slope * others;  // 1 - a_col, without cancellation
  }
  return j;
}

/// J = (diag a - a a^T) diag(F'/F).
template <class S>
Matrix<S> jacobian(const Normalized<S>& f) {
  const S sum = std::accumulate(f.value.begin(), f.value.end(), S(0.0));
  std::vector<S> slopes = f.derivative;
  for (S& slope : slopes) slope /= sum;
  return quotient_jacobian(weights_of(f.value), slopes, S(0.0));
}

/// ||J|| for a normaliser F / sum F: by the secular equation where F'/F is the same for all tokens
/// (softmax, Scalable-Softmax), by Cholesky for the others.
template <class S>
S jacobian_norm(const CaseContext& problem, const Normalized<S>& f) {
  const S temperature = from<S>(problem.temperature());
  if (problem.normalizer() == Normalizer::softmax) {
    return softmax_jacobian_norm(sorted_softmax<S>(problem)) / temperature;
  }
  if (problem.normalizer() == Normalizer::scalable_softmax) {
    const S slope = log_positive(from_count<S>(problem.tokens()));
    return softmax_jacobian_norm(sorted_softmax<S>(problem)) * slope / temperature;
  }
  return spectral_norm(jacobian(f));
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

/// ||diag(a) - a a^T||_F, from sum_i (a_i (1 - a_i))^2 + 2 sum_{i < j} (a_i a_j)^2: no digits
/// cancel.
template <class S>
S frobenius_norm(const SortedWeights<S>& w) {
  S squares(0.0);
  S smaller(0.0);  // sum of a_j^2 over the smaller weights
  for (std::size_t i = w.a.size(); i-- > 0;) {
    const S squared = square(w.a[i]);
    squares += square(self_derivative(w, i)) + S(2.0) * squared * smaller;
    smaller += squared;
  }
  return sqrt_nonnegative(squares);
}

/// max_i sum_j |(diag(a) - a a^T)_ij|: row i has a_i (1 - a_i), and as much again beside it.
template <class S>
S largest_row_sum(const SortedWeights<S>& w) {
  return S(2.0) * largest_entry(w);
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

/// a_(1) (1 - a_(1) + a_(2)): above ||diag(a) - a a^T||.
template <class S>
S corollary3_local_upper(const SortedWeights<S>& w) {
  return w.a[0] * (w.rest + w.a[1]);
}

/// max(a_(2), L/(L-1) max_i a_i (1 - a_i)): below ||diag(a) - a a^T||.
template <class S>
S corollary3_local_lower(const SortedWeights<S>& w) {
  const S share = from_count<S>(w.a.size()) / from_count<S>(w.a.size() - 1);
  return max(w.a[1], S(share * largest_entry(w)));
}

template <class S>
struct Extremes {
  S least, most;  ///< of F
  S steepest;     ///< max |F'|
  S count;        ///< L
};

template <class S>
Extremes<S> extremes_of(const Normalized<S>& f) {
  Extremes<S> e{f.value.front(), f.value.front(), S(0.0), from_count<S>(f.value.size())};
  for (std::size_t i = 0; i < f.value.size(); ++i) {
    e.least = min(e.least, f.value[i]);
    e.most = max(e.most, f.value[i]);
    e.steepest = max(e.steepest, abs(f.derivative[i]));
  }
  return e;
}

/// Right-hand side of Lemma 2: max|F'| (1/(L min F) + max F / (L (min F)^2)).
template <class S>
S lemma2_bound(const Normalized<S>& f) {
  const auto e = extremes_of(f);
  return e.steepest * (S(1.0) / (e.count * e.least) + e.most / (e.count * square(e.least)));
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

/// max_j |F'_j / F_j| times a_(1) (1 - a_(1) + a_(2)).
template <class S>
S lemma2_local_bound(const Normalized<S>& f, const SortedWeights<S>& w) {
  return S(2.0) * lemma2_sharp_bound(f) * corollary3_local_upper(w);
}

/// sqrt(L) ||a|| max|F'| / S.
template <class S>
S lemma2_oblique_bound(const Normalized<S>& f) {
  const auto e = extremes_of(f);
  S sum(0.0);
  S squares(0.0);
  for (const S& value : f.value) {
    sum += value;
    squares += square(value);
  }
  return sqrt_nonnegative(e.count * squares) * e.steepest / square(sum);
}

/// The softmax weights and the temperature, which every part of Corollary 3 starts from.
template <class S>
struct SoftmaxGradient {
  SortedWeights<S> w;
  S temperature;
  explicit SoftmaxGradient(const CaseContext& problem)
      : w(sorted_softmax<S>(problem)), temperature(from<S>(problem.temperature())) {}
  [[nodiscard]] S norm() const { return softmax_jacobian_norm(w) / temperature; }
  /// max_ij |J_ij|
  [[nodiscard]] S entry() const { return largest_entry(w) / temperature; }
  /// a_(2)/T
  [[nodiscard]] S second() const { return w.a[1] / temperature; }
  /// a_(1) a_(2)/T
  [[nodiscard]] S off_diagonal() const { return w.a[0] * w.a[1] / temperature; }
};

}  // namespace attn
