#pragma once

#include <optional>
#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/norm/spectral_norm.hpp"
#include "theory/attention/weights.hpp"
#include "theory/number/sums.hpp"

namespace attn {

/// Weights of a case by a normaliser F / sum F, sorted for the secular equation.
template <class S>
SortedWeights<S> sorted_softmax(const CaseContext& context) {
  const std::vector<S> f = normalizer_values<S>(context);
  const std::vector<std::size_t>& order = context.order();
  SortedWeights<S> w;
  const S others =
      sum_of<S>(f.size() - 1, [&](std::size_t k) -> const S& { return f[order[k + 1]]; });
  const S sum = f[order.front()] + others;
  w.a.reserve(f.size());
  for (const std::size_t i : order) w.a.push_back(f[i] / sum);
  w.rest = others / sum;
  w.top_tied = context.top_tied();
  w.others_tied = context.others_tied();
  return w;
}

/// Whether the two largest weights tie, or all but the largest: where the norm of diag a - a a^T is
/// max(a_(2), L/(L-1) a_(1) (1 - a_(1))) and a_(1) (1 - a_(1) + a_(2)).
inline bool ties_at_an_end(const CaseContext& context) {
  return context.top_tied() || context.others_tied();
}

/// Where softmax has a weight of 1/2, and nowhere else: exponentials of distinct rationals are
/// linearly independent over the rationals.
inline bool has_two_equal_logits(const CaseContext& context) {
  return context.tokens() == 2 && all_logits_equal(context);
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
/// (softmax, Scalable-Softmax), by Cholesky for the others. `f`: of the case.
template <class S>
S jacobian_norm(const CaseContext& context, const Normalized<S>& f) {
  const S temperature = from<S>(context.temperature());
  if (context.normalizer() == Normalizer::softmax) {
    return softmax_jacobian_norm(sorted_softmax<S>(context)) / temperature;
  }
  if (context.normalizer() == Normalizer::scalable_softmax) {
    const S slope = log_positive(from_count<S>(context.tokens()));
    return softmax_jacobian_norm(sorted_softmax<S>(context)) * slope / temperature;
  }
  return context.once<S>([&] { return spectral_norm(jacobian(f)); });
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

/// ||diag(a) - a a^T||_F: with q the sum of a_j^2 over all weights but the largest, the square is
/// (a_(1) (1 - a_(1)))^2 + (2 a_(1)^2 + q) q + sum_{j != (1)} a_j^2 (1 - 2 a_j), where no digits
/// cancel, for no a_j of the sum is above 1/2.
template <class S>
S frobenius_norm(const SortedWeights<S>& w) {
  const std::size_t others = w.a.size() - 1;
  const S q = sum_of_squares<S>(others, [&](std::size_t j) -> const S& { return w.a[j + 1]; });
  const S rest = sum_of<S>(others, [&](std::size_t j) {
    const S& a = w.a[j + 1];
    return S(square(a) * S(S(1.0) - S(2.0) * a));
  });
  return sqrt_nonnegative(S(square(S(w.a[0] * w.rest)) + (S(2.0) * square(w.a[0]) + q) * q + rest));
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

/// 1/(4T), which no entry exceeds.
template <class S>
S corollary3_entry_bound(const S& temperature) {
  return S(1.0) / (S(4.0) * temperature);
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

/// What the bounds of Lemma 2 are made of.
template <class S>
struct SlopeTerms {
  S least, most;   ///< min F and max F
  S sum, squares;  ///< S = sum_j F(l_j), sum_j F(l_j)^2
  S steepest;      ///< max |F'|
  S relative;      ///< max |F'/F|
  S count;         ///< L
};

template <class S>
SlopeTerms<S> slope_terms(const Normalized<S>& f) {
  const std::size_t count = f.value.size();
  SlopeTerms<S> t{.least = f.value.front(),
                  .most = f.value.front(),
                  .sum = sum_of(f.value),
                  .squares = squared_norm(f.value),
                  .steepest = S(0.0),
                  .relative = S(0.0),
                  .count = from_count<S>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    t.least = min(t.least, f.value[i]);
    t.most = max(t.most, f.value[i]);
    t.steepest = max(t.steepest, abs(f.derivative[i]));
    t.relative = max(t.relative, S(abs(f.derivative[i] / f.value[i])));
  }
  return t;
}

/// Right-hand side of Lemma 2: max|F'| (1/(L min F) + max F / (L (min F)^2)).
template <class S>
S lemma2_bound(const SlopeTerms<S>& t) {
  return t.steepest * (S(1.0) / (t.count * t.least) + t.most / (t.count * square(t.least)));
}

/// (1/2) max_j |F'_j / F_j|.
template <class S>
S lemma2_sharp_bound(const SlopeTerms<S>& t) {
  return t.relative / S(2.0);
}

/// max_j |F'_j / F_j| times a_(1) (1 - a_(1) + a_(2)).
template <class S>
S lemma2_local_bound(const SlopeTerms<S>& t, const SortedWeights<S>& w) {
  return t.relative * corollary3_local_upper(w);
}

/// sqrt(L) ||a|| max|F'| / S.
template <class S>
S lemma2_oblique_bound(const SlopeTerms<S>& t) {
  return sqrt_nonnegative(t.count * t.squares) * t.steepest / square(t.sum);
}

/// The softmax weights and the temperature, which every part of Corollary 3 starts from.
template <class S>
struct SoftmaxGradient {
  SortedWeights<S> w;
  S temperature;
  mutable std::optional<S> known_norm{};
  explicit SoftmaxGradient(const CaseContext& context)
      : w(sorted_softmax<S>(context)), temperature(from<S>(context.temperature())) {}
  [[nodiscard]] S norm() const {
    return known_norm ? *known_norm : known_norm.emplace(softmax_jacobian_norm(w) / temperature);
  }
  /// max_ij |J_ij|
  [[nodiscard]] S entry() const { return largest_entry(w) / temperature; }
  /// a_(2)/T
  [[nodiscard]] S second() const { return w.a[1] / temperature; }
  /// a_(1) a_(2)/T
  [[nodiscard]] S off_diagonal() const { return w.a[0] * w.a[1] / temperature; }
};

}  // namespace attn
