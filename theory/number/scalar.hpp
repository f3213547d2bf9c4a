#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include "theory/number/error_double.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/rational.hpp"

namespace attn {

/// What the formulas need to know of a scalar: a type whose every value encloses an exact real.
///
/// `Point` is the arithmetic of the enclosure's ends: good for approximations, never for verdicts.
/// `epsilon()` is about the relative width that one rounding leaves.
template <class S>
struct ScalarTraits;

template <>
struct ScalarTraits<ErrorDouble> {
  using Point = double;
  static ErrorDouble from(const Rational& value) {
    const double v = value.nearest();
    if (value.is_double()) return {v};
    // Conversion of a long rational errs by less than two units in the last place.
    return {v, std::abs(v) * (4 * ErrorDouble::kUnit) + ErrorDouble::kTiny};
  }
  static ErrorDouble from_point(double value) { return {value}; }
  static double epsilon() { return std::numeric_limits<double>::epsilon(); }
  static double lower(const ErrorDouble& x) { return x.lower(); }
  static double upper(const ErrorDouble& x) { return x.upper(); }
  static double middle(const ErrorDouble& x) { return x.value(); }
  /// NaN where lower > upper or one of them is NaN.
  static ErrorDouble enclose(double lower, double upper) {
    if (!(lower <= upper)) return {std::numeric_limits<double>::quiet_NaN()};
    const double v = lower + (upper - lower) / 2;
    const double e = ErrorDouble(upper - v).upper();
    return {v,
            std::max(e, ErrorDouble(v - lower).upper()) * ErrorDouble::kSlack + ErrorDouble::kTiny};
  }
};

template <>
struct ScalarTraits<Interval> {
  using Point = Interval::End;
  static Interval from(const Rational& value) {
    return value.is_double() ? Interval(value.nearest())
                             : Interval::of(value.to_long().backend().data());
  }
  static Interval from_point(const Point& value) { return enclose(value, value); }
  static Point epsilon() { return pow(Point(10), 1 - static_cast<int>(WorkingDigits::now())); }
  static Point lower(const Interval& x) { return x.lower(); }
  static Point upper(const Interval& x) { return x.upper(); }
  static Point middle(const Interval& x) { return x.middle(); }
  static Interval enclose(const Point& lower, const Point& upper) {
    return Interval::enclose(lower, upper);
  }
};

/// The exact arithmetic, in the place of a scalar where everything is rational: no rounding hides a
/// zero.
template <>
struct ScalarTraits<Rational> {
  static const Rational& from(const Rational& value) { return value; }
  static const Rational& lower(const Rational& x) { return x; }
  static const Rational& upper(const Rational& x) { return x; }
};

template <class S>
using Point = typename ScalarTraits<S>::Point;

/// The enclosure of an exact rational; of what is one in S already, itself.
template <class S, class W>
S from(const W& value) {
  if constexpr (std::is_same_v<S, W>) {
    return value;
  } else {
    return ScalarTraits<S>::from(value);
  }
}

/// The exact value of a count below 2^53.
template <class S>
S from_count(std::size_t count) {
  return S(static_cast<double>(count));
}

/// Certainly a < b: false also where the enclosures touch, overlap or hold a NaN.
template <class S>
bool certainly_less(const S& a, const S& b) {
  return ScalarTraits<S>::upper(a) < ScalarTraits<S>::lower(b);
}

/// Certainly a <= b; false also where the enclosures overlap or hold a NaN.
template <class S>
bool certainly_at_most(const S& a, const S& b) {
  return ScalarTraits<S>::upper(a) <= ScalarTraits<S>::lower(b);
}

template <class S>
bool certainly_positive(const S& a) {
  return ScalarTraits<S>::lower(a) > 0;
}

template <class S>
bool certainly_negative(const S& a) {
  return ScalarTraits<S>::upper(a) < 0;
}

/// tanh(x) for x >= 0, with all digits of a small x.
template <class S>
S tanh_nonnegative(const S& x) {
  const S decay = expm1(S(S(-2.0) * x));
  return -decay / S(S(2.0) + decay);
}

}  // namespace attn
