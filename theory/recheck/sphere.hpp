#pragma once

#include <string>
#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// What Theorem 2 speaks of: tokens x_j that are independent and uniform on a sphere of radius R,
/// and X_i = ||sum_{j in I, j != i} a_j x_j||.
struct Sphere {
  std::vector<Rational> radii;    ///< R a_i of the N largest weights
  std::vector<Rational> outside;  ///< R a_j of the others
  Rational radius, r, delta;
  std::size_t tokens, dimension;

  explicit Sphere(const Input& input);

  /// q: in d = 3 some pair of the tokens is closer than delta with at most this probability.
  [[nodiscard]] Rational close_pair() const {
    const Rational pairs = Rational(tokens) * Rational(tokens - 1) / 2;
    return pairs * delta * delta / (4 * radius * radius);
  }

  /// E[N_s]/N for independent tokens.
  [[nodiscard]] Rational independent_share() const;

  /// E[N_s]/N. Given that no pair is closer than delta, which fails with probability q at most, it
  /// lies in [p - q, p/(1 - q)], p the share of independent tokens; and it is p where p is 0 or 1.
  [[nodiscard]] Arb share() const;

  /// xi_i^2 for every i: R^2 (sum of the others' weights)^2 - delta^2/2 (their products, both
  /// orders). The products over all pairs less those with i are left.
  [[nodiscard]] std::vector<Rational> squared_reaches() const;

  /// s2_i and s4_i for every i: the second and fourth powers of the others' radii.
  struct Powers {
    Rational second, fourth;
  };
  [[nodiscard]] std::vector<Powers> powers() const;

  /// v_i of independent tokens: the variance of X_i^2 = s2_i + 2 sum of b_j b_k (u_j . u_k), pair
  /// by pair uncorrelated and of second moment 1/d.
  [[nodiscard]] Rational variance(const Powers& powers) const {
    return Rational(2) / Rational(dimension) * (powers.second * powers.second - powers.fourth);
  }

  [[nodiscard]] Arb mean(const Arb& sum) const {
    return sum / Arb(static_cast<long>(radii.size()));
  }
};

/// Tokens at least delta apart have a law with a bound of use in d = 3 only, while q < 1.
std::string separated(const Input& input);

/// Assumption 1 alone: delta = 0.
std::string independent(const Input& input);

}  // namespace attn::recheck
