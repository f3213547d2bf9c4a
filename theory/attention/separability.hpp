#pragma once

#include <cstddef>
#include <vector>

#include "theory/attention/power_sums.hpp"
#include "theory/attention/weights.hpp"

namespace attn {

/// The weights a_i of the selected tokens.
template <class S>
std::vector<S> selected_weights(const CaseContext& context) {
  std::vector<S> a;
  a.reserve(context.selected().size());
  for (const std::size_t i : context.selected()) a.push_back(from<S>(context.weights()[i]));
  return a;
}

/// The sums of the others' weights that Theorem 2 is written in, over j in I, j != i; one entry for
/// each selected token i.
template <class S>
std::vector<PowerSums<S>> others_sums(const CaseContext& context) {
  return sums_without_one(selected_weights<S>(context));
}

/// R, r and delta of Theorem 2.
template <class S>
struct Sphere {
  S radius, r, delta;
  explicit Sphere(const CaseContext& context)
      : radius(from<S>(context.sphere_radius())),
        r(from<S>(context.r())),
        delta(from<S>(context.delta())) {}
};

/// The mean of a term over the selected tokens, from what is known of each.
template <class S, template <class> class Known, class Term>
S mean_over(const std::vector<Known<S>>& tokens, Term term) {
  S sum(0.0);
  for (const auto& token : tokens) sum += term(token);
  return sum / from_count<S>(tokens.size());
}

/// X_i^2 beside r^2 for one selected token i, X_i = ||y_i - s||, where the tokens are independent.
template <class S>
struct SquaredOffset {
  S mean;      ///< s2_i = R^2 sum_{j in I, j != i} a_j^2
  S variance;  ///< v_i = (4/d) R^4 sum_{j < k} a_j^2 a_k^2; exactly 0 of one other weight
  S allowed;   ///< r^2
  int side;    ///< the side of the mean, decided exactly: the sign of s2_i - r^2
};

/// The sign of s2_i - r^2 for the token i, from enclosures of both: in rationals where these
/// overlap.
template <class S>
int side_of_mean(const CaseContext& context, std::size_t token, const S& mean, const S& allowed) {
  if (certainly_less(mean, allowed)) return -1;
  if (certainly_less(allowed, mean)) return 1;
  Rational beyond = -context.r() * context.r();
  for (const std::size_t j : context.selected()) {
    if (j == token) continue;
    const Rational length = context.sphere_radius() * context.weights()[j];
    beyond += length * length;
  }
  return beyond.sign();
}

/// The squared offsets of the selected tokens, one entry for each.
template <class S>
std::vector<SquaredOffset<S>> squared_offsets(const CaseContext& context) {
  const S radius = from<S>(context.sphere_radius());
  std::vector<S> squares = selected_weights<S>(context);
  for (S& a : squares) a = square(S(radius * a));
  const S allowed = from<S>(context.r() * context.r());
  const S four_over_d = S(4.0) / from_count<S>(context.dimension());
  const std::vector<PowerSums<S>> others = sums_without_one(squares);
  std::vector<SquaredOffset<S>> offsets;
  offsets.reserve(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const S& mean = others[i].first;
    offsets.push_back({.mean = mean,
                       .variance = four_over_d * others[i].pairs,
                       .allowed = allowed,
                       .side = side_of_mean(context, context.selected()[i], mean, allowed)});
  }
  return offsets;
}

/// Cantelli's inequality: X_i^2 lies beyond r^2, seen from its mean, with at most this probability.
template <class S>
S cantelli(const SquaredOffset<S>& x) {
  return x.variance / (x.variance + square(S(x.mean - x.allowed)));
}

/// m_i of theorem2.lower.sharp: P(X_i > r) <= m_i.
template <class S>
S chance_beyond(const SquaredOffset<S>& x) {
  return x.side < 0 ? S(min(S(x.mean / x.allowed), cantelli(x))) : S(1.0);
}

/// The term of theorem2.upper.repaired: P(X_i <= r) is at most this.
template <class S>
S chance_within(const SquaredOffset<S>& x) {
  return x.side > 0 ? cantelli(x) : S(1.0);
}

/// xi_i = sqrt(R^2 first^2 - delta^2 pairs): ||y_i - s|| never exceeds it, since x_j . x_k = R^2 -
/// ||x_j - x_k||^2 / 2 <= R^2 - delta^2 / 2. In rationals it must be one, as for delta = 0.
template <class S>
S largest_offset(const PowerSums<S>& m, const S& sphere_radius, const S& delta) {
  const S squared = square(S(sphere_radius * m.first)) - square(delta) * m.pairs;
  if constexpr (std::is_same_v<S, Rational>) {
    return *exact_root(squared);
  } else {
    return sqrt_nonnegative(squared);
  }
}

/// E[N_s]/N. With delta > 0 the tokens are conditioned on being at least delta apart. In d = 3 two
/// points of the sphere are closer than delta with probability delta^2 / (4 R^2), so some pair of
/// the L is with probability at most q = C(L,2) delta^2 / (4 R^2), and the conditional share lies
/// in [p - q, p / (1 - q)] for the unconditional p. Where p is 0 or 1, so is the conditional one.
/// In rationals it must be known exactly, and delta be 0.
template <class S>
S expected_share(const CaseContext& context) {
  if constexpr (std::is_same_v<S, Rational>) {
    return context.expected_share();
  } else {
    using Traits = ScalarTraits<S>;
    if (const auto& settled = context.settled_share()) return from<S>(*settled);
    if (!context.share_is_exact()) {
      const ConfidenceInterval& interval = context.sampled_share();
      return Traits::enclose(Point<S>(interval.lower), Point<S>(interval.upper));
    }
    const Rational& share = context.expected_share();
    S p = from<S>(share);
    if (context.delta() == 0 || share == 0 || share == 1) return p;
    const std::size_t pairs = context.tokens() * (context.tokens() - 1) / 2;
    const Rational closer = context.delta() / context.sphere_radius();
    const S q = from<S>(Rational(closer * closer * pairs / 4));
    const S low = max(S(p - q), S(0.0));
    const S high = min(S(p / (S(1.0) - q)), S(1.0));
    return Traits::enclose(Traits::lower(low), Traits::upper(high));
  }
}

}  // namespace attn
