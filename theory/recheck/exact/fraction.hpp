#pragma once

#include <map>

#include "theory/recheck/exact/ring.hpp"

namespace attn::recheck::exact {

/// A quotient of polynomials: the denominator is a monomial times powers of a ring's factors. Not
/// in lowest terms; zero where its numerator is.
class Fraction {
 public:
  explicit Fraction(Polynomial numerator);
  Fraction(Ring& ring, const Rational& value) : Fraction(Polynomial(ring, value)) {}

  Fraction& operator+=(const Fraction& other);
  Fraction& operator*=(const Fraction& other);
  Fraction& operator*=(const Rational& factor);
  Fraction& operator/=(Fraction other);  ///< divides by a fraction that is not zero
  friend Fraction operator*(Fraction x, const Fraction& y) { return x *= y; }

  [[nodiscard]] Ring& ring() const { return numerator_.ring(); }
  [[nodiscard]] bool is_zero() const { return numerator_.is_zero(); }
  /// Whether it is a polynomial, as written.
  [[nodiscard]] bool is_polynomial() const { return monomial_.empty() && factors_.empty(); }
  [[nodiscard]] bool is_constant() const { return is_polynomial() && numerator_.is_constant(); }
  [[nodiscard]] const Polynomial& numerator() const { return numerator_; }
  /// The exponents of the denominator's monomial; empty where it is 1.
  [[nodiscard]] const Exponents& monomial() const { return monomial_; }
  /// The powers of the denominator's factors, by their places.
  [[nodiscard]] const std::map<std::size_t, unsigned>& factors() const { return factors_; }

  [[nodiscard]] Arb enclosure() const;

 private:
  [[nodiscard]] Fraction inverse() const;
  void divide_out();

  Polynomial numerator_;
  Exponents monomial_;
  std::map<std::size_t, unsigned> factors_;
};

}  // namespace attn::recheck::exact
