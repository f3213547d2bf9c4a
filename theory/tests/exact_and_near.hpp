#pragma once

#include "theory/number/exact.hpp"
#include "theory/number/interval.hpp"

namespace attn::test {

/// A number to 900 digits.
using Wide = Real<900>;

inline Wide wide(const Rational& value) {
  Wide result;
  mpfr_set_q(result.backend().data(), value.to_long().backend().data(), MPFR_RNDN);
  return result;
}

/// A number, exactly and to 900 digits.
struct Both {
  Exact exact;
  Wide near;
};

inline Both operator+(const Both& a, const Both& b) {
  return {a.exact + b.exact, a.near + b.near};
}
inline Both operator-(const Both& a, const Both& b) {
  return {a.exact - b.exact, a.near - b.near};
}
inline Both operator*(const Both& a, const Both& b) {
  return {a.exact * b.exact, a.near * b.near};
}
inline Both operator/(const Both& a, const Both& b) {
  return {a.exact / b.exact, a.near / b.near};
}
inline Both sqrt(const Both& a) {
  return {sqrt_nonnegative(a.exact), sqrt(a.near)};
}
inline Both root(const Both& a, std::size_t degree) {
  return {root_of(a.exact, degree), pow(a.near, 1 / Wide(degree))};
}
inline Both max(const Both& a, const Both& b) {
  return {max(a.exact, b.exact), a.near < b.near ? b.near : a.near};
}

/// The sign of x - y, of which 800 digits are known; 0 stands for less than that.
inline int sign_of_difference(const Wide& x, const Wide& y) {
  const Wide difference = x - y;
  if (abs(difference) <= (abs(x) + abs(y)) * pow(Wide(10), -800)) return 0;
  return difference < 0 ? -1 : 1;
}

}  // namespace attn::test
