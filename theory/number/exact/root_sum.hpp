#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>

#include "theory/number/exact/fraction.hpp"
#include "theory/number/exact/order.hpp"

namespace attn::symbolic {

/// sqrt(n) sqrt(F): n a square class of the rationals, F an entry of the table of radicands, which
/// is normalised but for its sign; or sqrt(n) alone.
struct Root {
  int square_class{0};
  std::optional<std::size_t> radicand;
  auto operator<=>(const Root&) const = default;
};

/// A sum of roots, each with a factor of the field of fractions of polynomials: the form that every
/// known number is brought to.
struct RootSum {
  std::map<Root, Fraction> parts;  ///< none of them zero

  RootSum() = default;
  explicit RootSum(const Rational& value);
  explicit RootSum(const Fraction& value);

  /// The only part, where that has no root; zero of none; null of other numbers.
  [[nodiscard]] std::optional<Fraction> as_fraction() const;
  void add(const Root& root, const Fraction& factor);
};

RootSum operator-(RootSum a);
RootSum operator+(RootSum a, const RootSum& b);
RootSum operator-(const RootSum& a, const RootSum& b);
RootSum operator*(const RootSum& a, const RootSum& b);

/// a/b, b not zero. Throws BeyondExact where b has more than two parts.
RootSum operator/(const RootSum& a, const RootSum& b);

/// sqrt(x), x >= 0. Throws BeyondExact where x has a root, but for an a + b sqrt(r) whose square
/// root is a sum of square roots of the field.
RootSum root(const RootSum& x);

/// How x is to 0: by enclosures, and between the first and the next by algebra. Throws BeyondExact
/// where that takes more work than is left and nothing is known.
Order order_to_zero(const RootSum& x);

}  // namespace attn::symbolic
