#pragma once

#include <boost/multiprecision/mpfi.hpp>
#include <boost/multiprecision/mpfr.hpp>

namespace attn {

/// A real of D decimal digits, rounded to nearest.
template <unsigned D>
using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<D>,
                                           boost::multiprecision::et_off>;

/// The working digits of the last level, "200 digits": 40 to spare, so that sides which cancel down
/// to 1e-40 of their terms are still known to 200 digits.
inline constexpr unsigned kCapDigits = 240;

/// The decimal digits that the intervals of this thread are computed with while it lives, at most
/// kCapDigits; 50 outside of any.
class WorkingDigits {
 public:
  explicit WorkingDigits(unsigned digits);
  ~WorkingDigits();
  WorkingDigits(const WorkingDigits&) = delete;
  WorkingDigits& operator=(const WorkingDigits&) = delete;

  /// The working digits of this thread now.
  static unsigned now();

 private:
  unsigned before_;
};

/// Gives MPFR its widest exponents on this thread, so that exp(-10^9) is a number like any other,
/// and puts the thread's own range back.
class WidestExponents {
 public:
  WidestExponents() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  ~WidestExponents() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }
  WidestExponents(const WidestExponents&) = delete;
  WidestExponents& operator=(const WidestExponents&) = delete;

 private:
  mpfr_exp_t emin_ = mpfr_get_emin();
  mpfr_exp_t emax_ = mpfr_get_emax();
};

/// A closed interval. Every operation rounds outwards (MPFI), to the working digits of its thread,
/// an arithmetic one to those of its left operand, so the exact result of exact inputs always lies
/// inside. A copy keeps the digits it was made of.
///
/// One type for every level of the ladder, and no operation of it inline: the formulas of all
/// claims are compiled with it.
class Interval {
 public:
  /// Holds every end of an interval exactly.
  using End = Real<kCapDigits>;

  /// Zero.
  Interval();
  Interval(double value);  // NOLINT(google-explicit-constructor): formulas hold literals
  Interval(const Interval& other);
  Interval(Interval&& other) noexcept;
  Interval& operator=(const Interval& other);
  Interval& operator=(Interval&& other) noexcept;
  ~Interval();

  /// The interval around a rational number, as narrow as the working digits allow.
  static Interval of(mpq_srcptr value);

  /// [lower, upper]; NaN where lower > upper or one of them is NaN.
  static Interval enclose(const End& lower, const End& upper);

  /// The ends; both NaN where one is.
  [[nodiscard]] End lower() const;
  [[nodiscard]] End upper() const;
  /// A number in between, about in the middle.
  [[nodiscard]] End middle() const;

  Interval& operator+=(const Interval& x);
  Interval& operator-=(const Interval& x);
  Interval& operator*=(const Interval& x);
  Interval& operator/=(const Interval& x);

  [[nodiscard]] mpfi_ptr data() { return value_.data(); }
  [[nodiscard]] mpfi_srcptr data() const { return value_.data(); }

 private:
  /// The number. Boost's own default of digits, one for the whole process, is never asked for.
  boost::multiprecision::mpfi_float_backend<0> value_;
};

// By value: in the place of an intermediate result, which needs no memory of its own then.
Interval operator-(Interval x);
Interval operator+(Interval x, const Interval& y);
Interval operator-(Interval x, const Interval& y);
Interval operator*(Interval x, const Interval& y);
Interval operator/(Interval x, const Interval& y);

Interval abs(const Interval& x);
Interval exp(const Interval& x);

/// x^2, without the negative part that x * x has where the interval holds zero.
Interval square(const Interval& x);

/// The interval of max(x, y) over the two enclosures, and of min(x, y).
Interval max(const Interval& x, const Interval& y);
Interval min(const Interval& x, const Interval& y);

/// Square root of an exact value known to be >= 0: the enclosure's negative part is cut off.
Interval sqrt_nonnegative(const Interval& x);

/// exp(x) - 1.
Interval expm1(const Interval& x);

/// log(x) of an exact value x > 0.
Interval log_positive(const Interval& x);

/// log(1 + x) for x > -1.
Interval log1p(const Interval& x);

}  // namespace attn
