#pragma once

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <vector>

#include "theory/number/scalar.hpp"

namespace attn {

/// Weights in decreasing order, ready for the secular equation of diag(a) - a a^T.
template <class S>
struct SortedWeights {
  std::vector<S> a;         ///< [L], decreasing, L >= 2, sum 1
  S rest;                   ///< 1 - a_(1), summed from the others so that no digits cancel
  bool top_tied;            ///< a_(1) = a_(2) exactly
  bool others_tied{false};  ///< known: a_(2) = ... = a_(L) exactly, always so of two weights
};

namespace detail {

/// (a_(1) - t) times the secular function 1 - sum_i a_i^2 / (a_i - t). On (a_(2), a_(1)) the
/// secular function falls from +infinity to -infinity, so the sign tells the side of its only root
/// there: positive below it, negative above.
template <class S>
S secular(const SortedWeights<S>& w, const S& t) {
  S sum(0.0);
  for (std::size_t i = 1; i < w.a.size(); ++i) sum += square(w.a[i]) / (t - w.a[i]);
  return w.a[0] * w.rest - t + (w.a[0] - t) * sum;
}

/// The same in plain arithmetic, times (t - a_(2)), which is finite on the closed interval.
template <class P>
P secular_without_poles(const std::vector<P>& a, const P& rest, const P& t) {
  const P above = t - a[1];
  P sum = 0;
  for (std::size_t i = 1; i < a.size(); ++i) {
    const P distance = t - a[i];
    sum += distance > 0 ? P(a[i] * a[i] * (above / distance)) : P(a[i] * a[i]);
  }
  return (a[0] * rest - t) * above + (a[0] - t) * sum;
}

/// An approximate root in [a_(2), min(a_(1), 2 max a_i (1 - a_i))]: the ends are within a factor 2
/// L of each other, so that relative accuracy takes few steps however small the root is. `epsilon`:
/// the accuracy asked for.
template <class P>
P secular_root(const std::vector<P>& a, const P& rest, const P& epsilon) {
  const auto f = [&](const P& t) { return secular_without_poles(a, rest, t); };
  const P top = 2 * a[0] * rest;
  const P second = 2 * a[1] * (1 - a[1]);
  const P gershgorin = top > second ? top : second;
  const P& ceiling = gershgorin < a[0] ? gershgorin : a[0];
  const P at_low = f(a[1]);
  const P at_high = f(ceiling);
  if (!(at_low > 0)) return a[1];
  if (!(at_high < 0)) return ceiling;
  // The signs at the ends are known to differ, and whoever uses the root checks it.
  namespace policies = boost::math::policies;
  constexpr policies::policy<policies::domain_error<policies::ignore_error>,
                             policies::evaluation_error<policies::ignore_error>>
      kNoErrors;
  constexpr std::uintmax_t kMaxSteps = 200;
  std::uintmax_t steps = kMaxSteps;
  const auto [low, high] = boost::math::tools::toms748_solve(
      f, a[1], ceiling, at_low, at_high,
      [&](const P& x, const P& y) { return y - x <= 4 * epsilon * y; }, steps, kNoErrors);
  return low + (high - low) / 2;
}

/// The largest t of the form root (1 - 2^k eps) certainly on the side asked for, else the end.
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
  using P = Point<S>;
  if (w.top_tied) return w.a[0];
  if (w.others_tied) return from_count<S>(w.a.size()) * w.a[0] * w.a[1];
  std::vector<P> a;
  a.reserve(w.a.size());
  for (const S& weight : w.a) a.push_back(Traits::middle(weight));
  const P root = detail::secular_root<P>(a, Traits::middle(w.rest), Traits::epsilon());
  // The secular function is decreasing only strictly between the two largest weights.
  const P floor = Traits::upper(w.a[1]);
  const P ceiling = Traits::lower(w.a[0]);
  P low = detail::bracket<S>(w, root, floor, true);
  P high = detail::bracket<S>(w, root, ceiling, false);
  if (!(low > floor)) low = Traits::lower(w.a[1]);
  if (!(high < ceiling)) high = Traits::upper(w.a[0]);
  // Gershgorin: of use where the largest weight is all but 1.
  const S discs = S(2.0) * max(S(w.a[0] * w.rest), S(w.a[1] * S(S(1.0) - w.a[1])));
  if (Traits::upper(discs) < high) high = Traits::upper(discs);
  return Traits::enclose(low, high);
}

// Compiled once, in softmax_norm.cpp.
extern template ErrorDouble softmax_jacobian_norm(const SortedWeights<ErrorDouble>&);
extern template Interval softmax_jacobian_norm(const SortedWeights<Interval>&);

}  // namespace attn
