#pragma once

#include <cstddef>
#include <map>

#include "theory/number/exact/polynomial.hpp"
#include "theory/number/exact/sign.hpp"

namespace attn::symbolic {

/// A polynomial over a product of powers of normalised ones, which the table of factors holds:
/// every denominator of a row of softmax is one factor. Zero just where `top` is.
struct Fraction {
  Polynomial top;
  std::map<std::size_t, int> bottom;  ///< powers > 0 by number

  [[nodiscard]] bool is_zero() const { return top.is_zero(); }
};

Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Rational& factor);
Fraction operator*(const Fraction& a, const Polynomial& b);

/// 1/a, of a that is not zero.
Fraction inverse(const Fraction& a);

/// -1, 0 or 1. Throws BeyondExact where that is not known.
int sign_of(const Fraction& x);

/// An enclosure of x, which is not zero.
Scaled enclosed(const Fraction& x, unsigned bits);

}  // namespace attn::symbolic
