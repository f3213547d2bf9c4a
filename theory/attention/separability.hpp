#pragma once

#include <vector>

#include "theory/attention/weights.hpp"

namespace attn {

/// The moments of the others' weights that Theorem 2 is written in, for one selected token i:
/// sums over j in I, j != i.
template <class S>
struct OthersMoments {
  S first;          ///< sum a_j
  S second;         ///< sum a_j^2
  S fourth;         ///< sum a_j^4
  bool none{true};  ///< all these weights are exactly zero, or there are none (N = 1)
};

/// One entry for each selected token.
template <class S>
std::vector<OthersMoments<S>> others_moments(const Problem& problem) {
  std::vector<S> a;
  for (const std::size_t i : problem.selected()) a.push_back(from<S>(problem.weights()[i]));
  std::vector<OthersMoments<S>> moments(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (j == i) continue;
      const S squared = square(a[j]);
      moments[i].first += a[j];
      moments[i].second += squared;
      moments[i].fourth += square(squared);
      if (problem.weights()[problem.selected()[j]] != 0) moments[i].none = false;
    }
  }
  return moments;
}

/// R, r and delta of Theorem 2.
template <class S>
struct Sphere {
  S radius, r, delta;
  explicit Sphere(const Problem& problem)
      : radius(from<S>(problem.sphere_radius())),
        r(from<S>(problem.r())),
        delta(from<S>(problem.delta())) {}
};

/// The mean of a term over the selected tokens.
template <class S, class Term>
S mean_over(const std::vector<OthersMoments<S>>& moments, Term term) {
  S sum(0.0);
  for (const auto& m : moments) sum += term(m);
  return sum / from_count<S>(moments.size());
}

/// xi_i = sqrt(R^2 first^2 - (delta^2/2) (first^2 - second)): ||y_i - s|| never exceeds it, since
/// x_j . x_k = R^2 - ||x_j - x_k||^2 / 2 <= R^2 - delta^2 / 2.
template <class S>
S largest_offset(const OthersMoments<S>& m, const S& sphere_radius, const S& delta) {
  const S cross = square(m.first) - m.second;
  return sqrt_nonnegative(square(sphere_radius * m.first) - square(delta) / S(2.0) * cross);
}

/// E[N_s]/N. With delta > 0 the tokens are conditioned on being at least delta apart. In d = 3 two
/// points of the sphere are closer than delta with probability delta^2 / (4 R^2), so some pair of
/// the L is with probability at most q = C(L,2) delta^2 / (4 R^2), and the conditional share lies
/// in [p - q, p / (1 - q)] for the unconditional p. Where p is 0 or 1, so is the conditional one.
template <class S>
S expected_share(const Problem& problem) {
  using Traits = ScalarTraits<S>;
  if (!problem.share_is_exact()) {
    const ConfidenceInterval& interval = problem.sampled_share();
    return Traits::enclose(Point<S>(interval.lower), Point<S>(interval.upper));
  }
  const Rational& share = problem.expected_share();
  const S p = from<S>(share);
  if (problem.delta() == 0 || share == 0 || share == 1) return p;
  const std::size_t pairs = problem.tokens() * (problem.tokens() - 1) / 2;
  const Rational closer = problem.delta() / problem.sphere_radius();
  const S q = from<S>(Rational(closer * closer * pairs / 4));
  const S low = max(S(p - q), S(0.0));
  const S high = min(S(p / (S(1.0) - q)), S(1.0));
  return Traits::enclose(Traits::lower(low), Traits::upper(high));
}

}  // namespace attn
