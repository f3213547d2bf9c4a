#pragma once

#include <boost/multiprecision/mpfi.hpp>
#include <boost/multiprecision/mpfr.hpp>

namespace attn {

/// A real of D decimal digits, rounded to nearest. The digits are part of the type: MPFR's default
/// precision is process-wide, so a variable-precision number would depend on who set it last.
template <unsigned D>
using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<D>,
                                           boost::multiprecision::et_off>;

/// A closed interval with ends of D decimal digits. Every operation rounds outwards (MPFI), so the
/// exact result of exact inputs always lies inside.
template <unsigned D>
using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<D>,
                                               boost::multiprecision::et_off>;

/// The working digits of the last level, "200 digits": 40 to spare, so that sides which cancel down
/// to 1e-40 of their terms are still known to 200 digits.
inline constexpr unsigned kCapDigits = 240;

/// x^2, without the negative part that x * x has where the interval holds zero.
template <unsigned D>
Interval<D> square(const Interval<D>& x) {
  Interval<D> result;
  mpfi_sqr(result.backend().data(), x.backend().data());
  return result;
}

/// The interval of max(x, y) over the two enclosures.
template <unsigned D>
Interval<D> max(const Interval<D>& x, const Interval<D>& y) {
  Interval<D> result;
  auto* r = result.backend().data();
  const auto* a = x.backend().data();
  const auto* b = y.backend().data();
  mpfr_max(&r->left, &a->left, &b->left, MPFR_RNDD);
  mpfr_max(&r->right, &a->right, &b->right, MPFR_RNDU);
  if (mpfi_nan_p(a) || mpfi_nan_p(b)) mpfr_set_nan(&r->left);
  return result;
}

/// The interval of min(x, y) over the two enclosures.
template <unsigned D>
Interval<D> min(const Interval<D>& x, const Interval<D>& y) {
  return -max<D>(-x, -y);
}

/// Square root of an exact value known to be >= 0: the enclosure's negative part is cut off.
template <unsigned D>
Interval<D> sqrt_nonnegative(const Interval<D>& x) {
  Interval<D> result(x);
  auto* r = result.backend().data();
  if (mpfr_sgn(&r->left) < 0) mpfr_set_zero(&r->left, +1);
  mpfi_sqrt(r, r);
  return result;
}

/// exp(x) - 1.
template <unsigned D>
Interval<D> expm1(const Interval<D>& x) {
  Interval<D> result;
  mpfi_expm1(result.backend().data(), x.backend().data());
  return result;
}

/// log(x) of an exact value x > 0.
template <unsigned D>
Interval<D> log_positive(const Interval<D>& x) {
  Interval<D> result;
  mpfi_log(result.backend().data(), x.backend().data());
  return result;
}

/// log(1 + x) for x > -1.
template <unsigned D>
Interval<D> log1p(const Interval<D>& x) {
  Interval<D> result;
  mpfi_log1p(result.backend().data(), x.backend().data());
  return result;
}

}  // namespace attn
