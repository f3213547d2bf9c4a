#pragma once

#include <cstddef>
#include <limits>

#include "theory/number/error_double.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/rational.hpp"

namespace attn {

/// What the formulas need to know of a scalar: a type whose every value encloses an exact real.
///
/// `Point` is the arithmetic of the enclosure's ends: good for approximations, never for verdicts.
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
  static double lower(const ErrorDouble& x) { return x.lower(); }
  static double upper(const ErrorDouble& x) { return x.upper(); }
  static double middle(const ErrorDouble& x) { return x.value(); }
  static ErrorDouble enclose(double lower, double upper) {
    const double v = lower + (upper - lower) / 2;
    const double e = ErrorDouble(upper - v).upper();
    return {v,
            std::max(e, ErrorDouble(v - lower).upper()) * ErrorDouble::kSlack + ErrorDouble::kTiny};
  }
};

template <unsigned D>
struct ScalarTraits<Interval<D>> {
  using Point = Real<D>;
  static Interval<D> from(const Rational& value) {
    Interval<D> result;
    if (value.is_double()) {
      mpfi_set_d(result.backend().data(), value.nearest());
    } else {
      mpfi_set_q(result.backend().data(), value.to_long().backend().data());
    }
    return result;
  }
  static Interval<D> from_point(const Point& value) { return enclose(value, value); }
  static Point lower(const Interval<D>& x) { return end_of(x, x.backend().data()->left); }
  static Point upper(const Interval<D>& x) { return end_of(x, x.backend().data()->right); }
  static Point middle(const Interval<D>& x) {
    Point result;
    mpfi_mid(result.backend().data(), x.backend().data());
    return result;
  }
  static Interval<D> enclose(const Point& lower, const Point& upper) {
    Interval<D> result;
    mpfi_interv_fr(result.backend().data(), lower.backend().data(), upper.backend().data());
    return result;
  }

 private:
  /// MPFI leaves a NaN in one end only where one end is undefined (the root of [-1, 1]); such an
  /// interval bounds nothing on the other side either.
  static Point end_of(const Interval<D>& x, const __mpfr_struct& end) {
    Point result;
    if (mpfi_nan_p(x.backend().data()) == 0)
      mpfr_set(result.backend().data(), &end, MPFR_RNDN);
    else
      mpfr_set_nan(result.backend().data());
    return result;
  }
};

template <class S>
using Point = typename ScalarTraits<S>::Point;

/// The enclosure of an exact rational.
template <class S>
S from(const Rational& value) {
  return ScalarTraits<S>::from(value);
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

template <class S>
bool certainly_positive(const S& a) {
  return ScalarTraits<S>::lower(a) > 0;
}

template <class S>
bool certainly_negative(const S& a) {
  return ScalarTraits<S>::upper(a) < 0;
}

}  // namespace attn
