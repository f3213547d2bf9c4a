#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "theory/number/scalar.hpp"

namespace attn {

inline std::ostream& operator<<(std::ostream& out, const Interval& x) {
  return out << '[' << x.lower() << ", " << x.upper() << ']';
}

}  // namespace attn

namespace attn::test {

/// An arithmetic of a typed test: a scalar, and the digits that its intervals have.
template <class S, unsigned Digits>
struct Level {
  using Scalar = S;
  static constexpr unsigned kDigits = Digits;
};

/// Works with the digits of a Level.
template <class L>
class LevelTest : public testing::Test {
 private:
  const WorkingDigits working_{L::kDigits};
};

/// The exact value of a finite double.
inline Rational rational_of(double x) {
  return exact(x);
}

/// The exact value of a finite real.
template <unsigned D>
Rational rational_of(const Real<D>& x) {
  LongRational result;
  mpfr_get_q(result.backend().data(), x.backend().data());
  return Rational(result);
}

template <class S>
Rational lower_of(const S& x) {
  return rational_of(ScalarTraits<S>::lower(x));
}

template <class S>
Rational upper_of(const S& x) {
  return rational_of(ScalarTraits<S>::upper(x));
}

/// Neither end infinite or NaN, so that both are rational.
template <class S>
bool has_finite_ends(const S& x) {
  using std::isfinite;
  return isfinite(ScalarTraits<S>::lower(x)) && isfinite(ScalarTraits<S>::upper(x));
}

/// Whether an exact value lies in the enclosure.
template <class S>
bool encloses(const S& enclosure, const Rational& value) {
  return lower_of(enclosure) <= value && value <= upper_of(enclosure);
}

/// Whether two enclosures can hold the same value.
template <class S, class T>
bool overlap(const S& x, const T& y) {
  return lower_of(x) <= upper_of(y) && lower_of(y) <= upper_of(x);
}

/// (upper - lower) / upper of an enclosure of a positive value.
template <class S>
double relative_width(const S& x) {
  const Rational ratio = (upper_of(x) - lower_of(x)) / upper_of(x);
  return ratio.nearest();
}

}  // namespace attn::test
