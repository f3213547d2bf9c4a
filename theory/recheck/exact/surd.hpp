#pragma once

#include <map>
#include <optional>

#include "theory/recheck/exact/fraction.hpp"

namespace attn::recheck::exact {

/// A sum of fractions, each times roots of some of the ring's radicands. Roots of numbers of
/// different classes, whose quotients are no squares, are linearly independent over the fractions
/// (Kummer): it is zero where, once like classes are taken together, no term is left, and nowhere
/// else but for logarithms.
class Surd {
 public:
  explicit Surd(Fraction value);
  Surd(Ring& ring, const Rational& value) : Surd(Fraction(ring, value)) {}

  Surd& operator+=(const Surd& other);
  Surd& operator-=(const Surd& other);
  Surd& operator*=(const Surd& other);
  Surd& operator*=(const Rational& factor);
  Surd& operator/=(Surd other);  ///< throws Beyond for a divisor that is zero
  friend Surd operator+(Surd x, const Surd& y) { return x += y; }
  friend Surd operator-(Surd x, const Surd& y) { return x -= y; }
  friend Surd operator*(Surd x, const Surd& y) { return x *= y; }

  /// The places of the radicands whose roots a term has, in increasing order.
  using Roots = std::vector<std::size_t>;
  [[nodiscard]] const std::map<Roots, Fraction>& terms() const { return terms_; }
  [[nodiscard]] Ring& ring() const { return *ring_; }
  /// The only fraction, where no root is left; null elsewhere.
  [[nodiscard]] const Fraction* fraction() const;
  [[nodiscard]] std::optional<Rational> rational() const;

  /// Takes like classes together.
  void collect();
  [[nodiscard]] Arb enclosure() const;

 private:
  friend Surd root_of(const Surd& x);
  void add(const Roots& roots, const Fraction& factor);
  [[nodiscard]] Surd inverse() const;

  Ring* ring_;
  std::map<Roots, Fraction> terms_;
};

/// The root of what is not negative: a fraction, or the square of a sum of roots of two; throws
/// Beyond for others.
Surd root_of(const Surd& x);

/// The sign of x, by enclosures, and exactly where they do not show it.
Sign sign_of(Surd x);

/// The sign of x as a number: -1, 0 or 1. Throws Beyond where it is not found.
int known_sign_of(Surd x);

}  // namespace attn::recheck::exact
