#pragma once

#include <span>
#include <vector>

#include "theory/number/exact.hpp"
#include "theory/number/scalar.hpp"
#include "theory/number/sums.hpp"

namespace attn {

/// Weights ready for the secular equation of diag(a) - a a^T.
template <class S>
struct SortedWeights {
  std::vector<S> a;         ///< [L], the two largest first, L >= 2, sum 1
  S rest;                   ///< 1 - a_(1), summed from the others so that no digits cancel
  bool top_tied;            ///< a_(1) = a_(2) exactly
  bool others_tied{false};  ///< a_(2) = ... = a_(L) exactly, where that is known
};

/// The equation sum_i a_i^2 / (a_i - t) = 1 for t in [a_(2), a_(1)], in doubles over some unit,
/// which hold its weights but the largest, however small they are, where t is near them.
struct SecularEquation {
  double first;                    ///< a_(1)
  double rest;                     ///< (1 - a_(1)) / unit
  double unit;                     ///< 0 where no double is as small
  std::span<const double> others;  ///< all other weights, over unit
  double second;                   ///< a_(2) / unit, the largest of the others, if any

  /// t / unit, approximately. Of other numbers than weights anything may come. No verdict rests on
  /// it: softmax_jacobian_norm looks for certain signs around it.
  [[nodiscard]] double root() const;
};

/// t of the equation sum_i a_i^2 / (a_i - t) = 1 in [a_(2), a_(1)], in double, approximately: no
/// verdict rests on it. `a`: weights, the two largest first, [L], L >= 2; rest = 1 - a_(1).
double secular_root(const std::vector<double>& a, double rest);

/// t of the equation sum_i a_i^2 / (a_i - t) = 1 in [a_(2), a_(1)], to about the working digits.
/// `a`: weights, the two largest first, [L], L >= 2; rest = 1 - a_(1).
Interval::End secular_root(const std::vector<Interval::End>& a, const Interval::End& rest);

namespace detail {

/// sum_i a_i^2 / (t - a_i) over all weights but the largest.
template <class S>
S sum_over_poles(const std::vector<S>& weights, const S& t) {
  return sum_of<S>(weights.size() - 1, [&](std::size_t i) {
    const S& a = weights[i + 1];
    return S(square(a) / S(t - a));
  });
}
ErrorDouble sum_over_poles(const std::vector<ErrorDouble>& weights, const ErrorDouble& t);

/// (a_(1) - t) times the secular function 1 - sum_i a_i^2 / (a_i - t). On (a_(2), a_(1)) the
/// secular function falls from +infinity to -infinity, so the sign tells the side of its only root
/// there: positive below it, negative above.
template <class S>
S secular(const SortedWeights<S>& w, const S& t) {
  return w.a[0] * w.rest - t + (w.a[0] - t) * sum_over_poles(w.a, t);
}

/// The nearest t to the root, of the form root (1 -+ 16^k eps), certainly on the side asked for;
/// else the end.
template <class S>
Point<S> bracket(const SortedWeights<S>& w, const Point<S>& root, const Point<S>& end, bool below) {
  using P = Point<S>;
  for (P step = 16 * ScalarTraits<S>::epsilon(); step < P(0.25); step *= 16) {
    P t = below ? P(root * (1 - step)) : P(root * (1 + step));
    if (below ? !(t > end) : !(t < end)) return end;
    const S value = secular(w, ScalarTraits<S>::from_point(t));
    if (below ? certainly_positive(value) : certainly_negative(value)) return t;
  }
  return end;
}

/// The norm, where the largest weight is not tied: an enclosure whatever `near` is, and a narrow
/// one where that is near the root.
template <class S>
S norm_about(const SortedWeights<S>& w, const Point<S>& near) {
  using Traits = ScalarTraits<S>;
  using P = Point<S>;
  // The secular function is decreasing only strictly between the two largest weights, so that a
  // sign beyond them says nothing.
  const P floor = Traits::upper(w.a[1]);
  const P ceiling = Traits::lower(w.a[0]);
  const P& below_ceiling = near < ceiling ? near : ceiling;
  const P& root = below_ceiling > floor ? below_ceiling : floor;
  P low = bracket<S>(w, root, floor, true);
  P high = bracket<S>(w, root, ceiling, false);
  if (!(low > floor)) low = Traits::lower(w.a[1]);
  if (!(high < ceiling)) high = Traits::upper(w.a[0]);
  // Gershgorin: of use where the largest weight is all but 1.
  const S discs = S(2.0) * max(S(w.a[0] * w.rest), S(w.a[1] * S(S(1.0) - w.a[1])));
  if (Traits::upper(discs) < high) high = Traits::upper(discs);
  return Traits::enclose(low, high);
}

}  // namespace detail

/// ||diag(a) - a a^T||, the largest eigenvalue: an enclosure.
///
/// The matrix is a diagonal minus a rank one, so its eigenvalues interlace the weights:
/// a_(2) <= lambda <= a_(1), and lambda = a_(1) where the largest weight is tied. Where all others
/// are tied it is L a_(1) a_(2), of the vector (L-1, -1, ..., -1). Otherwise lambda is the root of
/// sum_i a_i^2 / (a_i - t) = 1 in between. Both ends of the enclosure are points where the sign of
/// the secular function is certain; no approximate eigenvalue enters.
template <class S>
S softmax_jacobian_norm(const SortedWeights<S>& w) {
  using Traits = ScalarTraits<S>;
  if (w.top_tied) return w.a[0];
  if (w.others_tied) return from_count<S>(w.a.size()) * w.a[0] * w.a[1];
  std::vector<Point<S>> a;
  a.reserve(w.a.size());
  for (const S& weight : w.a) a.push_back(Traits::middle(weight));
  return detail::norm_about(w, secular_root(a, Traits::middle(w.rest)));
}

/// A number that is compared: by the sign of the secular function, where no weights are tied.
template <>
Exact softmax_jacobian_norm(const SortedWeights<Exact>& w);

// Compiled once, in softmax_norm.cpp.
extern template ErrorDouble softmax_jacobian_norm(const SortedWeights<ErrorDouble>&);
extern template Interval softmax_jacobian_norm(const SortedWeights<Interval>&);

}  // namespace attn
