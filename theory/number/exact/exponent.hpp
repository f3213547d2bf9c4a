#pragma once

#include <utility>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn::symbolic {

/// The name of a monomial: e^q times powers of other generators of the group of monomials,
/// e^sqrt(n_k) for a square class n_k of the rationals, and those of logarithms (see tables.hpp).
///
/// e^E for different E = q + sum_k q_k sqrt(n_k), q and q_k rational, are linearly independent over
/// the algebraic numbers (Lindemann and Weierstrass); no such theorem is known of logarithms.
struct Exponent {
  using Power = std::pair<int, Rational>;  ///< a generator, by its number, and its power
  Rational plain;                          ///< q
  std::vector<Power> others;               ///< by rising generators, none with the power 0

  [[nodiscard]] bool is_zero() const { return plain == 0 && others.empty(); }
  bool operator==(const Exponent&) const = default;
};

/// -1, 0 or 1 as a comes before b in lexicographic order: one that addition keeps.
int order(const Exponent& a, const Exponent& b);

Exponent operator-(const Exponent& a);
Exponent operator+(const Exponent& a, const Exponent& b);
Exponent operator-(const Exponent& a, const Exponent& b);

/// factor * a.
Exponent times(const Exponent& a, const Rational& factor);

}  // namespace attn::symbolic
