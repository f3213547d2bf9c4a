#pragma once

#include <concepts>
#include <cstddef>
#include <memory>

#include "theory/number/exact/order.hpp"
#include "theory/number/exact/work.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

namespace symbolic {
struct Node;
class Norm;
}  // namespace symbolic

/// A real number known exactly: a rational, or a formula of such numbers with a narrow enclosure.
/// The third scalar of the formulas, beside ErrorDouble and Interval: what these cannot tell apart
/// it can.
///
/// A formula is brought to a sum of roots over the field of fractions of exponentials (see
/// exact/root_sum.hpp) only where enclosures leave a comparison open, and only so much of it as is
/// compared. A comparison throws BeyondExact where the order is not known: the number is none of
/// these, or takes more work than is left.
///
/// All of it needs a symbolic::Work of its thread.
class Exact {
 public:
  Exact() = default;
  Exact(double value);  // NOLINT(google-explicit-constructor): formulas hold literals
  template <std::integral I>
  Exact(I value) : rational_(value) {}  // NOLINT(google-explicit-constructor)
  explicit Exact(const Rational& value) : rational_(value) {}

  /// A number of which nothing is known.
  static Exact unknown();

  /// A norm, which can only be compared: with numbers, and so can its multiples.
  static Exact of_norm(std::shared_ptr<const symbolic::Norm> norm);

  Exact& operator+=(const Exact& y) { return *this = *this + y; }
  Exact& operator-=(const Exact& y) { return *this = *this - y; }
  Exact& operator*=(const Exact& y) { return *this = *this * y; }
  Exact& operator/=(const Exact& y) { return *this = *this / y; }
  friend Exact operator-(const Exact& x);
  friend Exact operator+(const Exact& x, const Exact& y);
  friend Exact operator-(const Exact& x, const Exact& y);
  friend Exact operator*(const Exact& x, const Exact& y);
  friend Exact operator/(const Exact& x, const Exact& y);

  /// Null where the number is not written as a rational.
  [[nodiscard]] const symbolic::Node* node() const { return node_.get(); }
  /// Where node() is null.
  [[nodiscard]] const Rational& rational() const { return rational_; }

  /// The nearest double of what is written as a rational. Throws BeyondExact of other numbers.
  explicit operator double() const;

  /// False where the number and the interval have certainly nothing in common.
  [[nodiscard]] bool may_lie_in(const Interval& x) const;

 private:
  friend struct symbolic::Node;
  explicit Exact(std::shared_ptr<const symbolic::Node> node) : node_(std::move(node)) {}

  Rational rational_;
  std::shared_ptr<const symbolic::Node> node_;
};

Exact exp(const Exact& x);
/// Square root of a number that is >= 0.
Exact sqrt_nonnegative(const Exact& x);
/// x^(1/n) of a number x >= 0. n >= 1.
Exact root_of(const Exact& x, std::size_t n);
/// log(x), x > 0.
Exact log_positive(const Exact& x);
Exact abs(const Exact& x);
Exact max(const Exact& x, const Exact& y);
Exact min(const Exact& x, const Exact& y);
/// The largest integer that is not above x. Throws BeyondExact where it is not known.
Exact floor(const Exact& x);
inline Exact square(const Exact& x) {
  return x * x;
}
inline Exact expm1(const Exact& x) {
  return exp(x) - Exact(1);
}
inline Exact log1p(const Exact& x) {
  return log_positive(Exact(1) + x);
}

/// How x is to y, certainly.
symbolic::Order order_of(const Exact& x, const Exact& y);

/// -1, 0 or 1. Throws BeyondExact where that is not known.
int compare(const Exact& x, const Exact& y);

inline bool operator<(const Exact& x, const Exact& y) {
  return compare(x, y) < 0;
}
inline bool operator>(const Exact& x, const Exact& y) {
  return compare(x, y) > 0;
}
inline bool operator<=(const Exact& x, const Exact& y) {
  return compare(x, y) <= 0;
}
inline bool operator>=(const Exact& x, const Exact& y) {
  return compare(x, y) >= 0;
}
inline bool operator==(const Exact& x, const Exact& y) {
  return compare(x, y) == 0;
}

namespace symbolic {

/// The norm of a matrix: a number that is only compared.
class Norm {
 public:
  virtual ~Norm() = default;
  /// The sign of the norm less x. Throws BeyondExact where that is not known.
  [[nodiscard]] virtual int compare(const Exact& x) const = 0;
};

}  // namespace symbolic

/// Every number is its own enclosure.
template <>
struct ScalarTraits<Exact> {
  using Point = Exact;
  static Exact from(const Rational& value) { return Exact(value); }
  static const Exact& from_point(const Exact& value) { return value; }
  static Exact epsilon() { return {}; }
  static const Exact& lower(const Exact& x) { return x; }
  static const Exact& upper(const Exact& x) { return x; }
  static const Exact& middle(const Exact& x) { return x; }
  static Exact enclose(const Exact& lower, const Exact& upper) {
    return compare(lower, upper) == 0 ? lower : Exact::unknown();
  }
};

}  // namespace attn
