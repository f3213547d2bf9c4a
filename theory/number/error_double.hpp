#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "theory/number/elementary.hpp"

#ifdef __FAST_MATH__
#error "the error bounds of ErrorDouble do not hold with -ffast-math"
#endif

namespace attn {

/// The least double above x, as std::nextafter has it; infinity and NaN stay. The doubles of one
/// sign are in the order of their patterns.
constexpr double next_above(double x) {
  if (!(x < kInfinity)) return x;
  if (x == 0) return std::numeric_limits<double>::denorm_min();
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) + (x > 0 ? 1 : -1));
}

/// A double with a bound on its distance from the exact value: |exact - value()| <= error().
///
/// Every operation adds a bound on its own rounding to the bounds it inherits (running error
/// analysis, Higham, Accuracy and Stability of Numerical Algorithms, section 3.3). With u = 2^-53
/// an IEEE operation in round-to-nearest errs by at most u |result|, plus kTiny where it can
/// underflow. The bounds themselves are sums and products of a few non-negative doubles; the factor
/// kSlack covers their rounding, kTiny their underflow.
///
/// Assumes IEEE binary64 in round-to-nearest, no contraction, and that the exp, expm1, log and
/// log1p of theory/number/elementary.hpp err by at most kFunctionUlps units in the last place.
/// theory/number/machine_assumptions.hpp checks what of it a program can check of itself.
/// Overflow or an undefined operation makes the bound infinite or NaN, which no comparison accepts.
class ErrorDouble {
 public:
  static constexpr double kUnit = 0x1p-53;
  static constexpr double kSlack = 1.0 + 0x1p-48;
  static constexpr double kShrink = 1.0 - 0x1p-48;  ///< at most 1/kSlack, for lower bounds
  static constexpr double kTiny = 0x1p-1020;
  static constexpr double kFunctionUlps = 4.0;
  static constexpr double kFunctionError = 2 * kFunctionUlps * kUnit;  ///< relative

  constexpr ErrorDouble() = default;

  /// An exact double. An infinity or a NaN is no exact value: inf - inf makes its bound NaN.
  constexpr ErrorDouble(double value) : value_(value), error_(value - value) {}

  /// A double with a known bound.
  constexpr ErrorDouble(double value, double error) : value_(value), error_(error) {}

  [[nodiscard]] constexpr double value() const { return value_; }
  [[nodiscard]] constexpr double error() const { return error_; }

  /// Bounds of the exact value, rounded outwards.
  [[nodiscard]] double lower() const { return -next_above(-(value_ - error_)); }
  [[nodiscard]] double upper() const { return next_above(value_ + error_); }

  ErrorDouble operator-() const { return {-value_, error_}; }

  friend ErrorDouble operator+(const ErrorDouble& a, const ErrorDouble& b) {
    const double v = a.value_ + b.value_;
    return {v, (a.error_ + b.error_ + kUnit * std::abs(v)) * kSlack + kTiny};
  }
  friend ErrorDouble operator-(const ErrorDouble& a, const ErrorDouble& b) { return a + (-b); }
  friend ErrorDouble operator*(const ErrorDouble& a, const ErrorDouble& b) {
    const double v = a.value_ * b.value_;
    const double e = std::abs(a.value_) * b.error_ + a.error_ * (std::abs(b.value_) + b.error_);
    return {v, (e + kUnit * std::abs(v)) * kSlack + kTiny};
  }
  /// The bound is infinite where the divisor's enclosure holds zero.
  friend ErrorDouble operator/(const ErrorDouble& a, const ErrorDouble& b) {
    const double v = a.value_ / b.value_;
    const double least = (std::abs(b.value_) - b.error_) * kShrink;
    if (!(least > 0)) return {v, kInfinity};
    const double e = (a.error_ + (std::abs(v) + kTiny) * b.error_ + kTiny) / least;
    return {v, (e + kUnit * std::abs(v)) * kSlack + kTiny};
  }
  ErrorDouble& operator+=(const ErrorDouble& b) { return *this = *this + b; }
  ErrorDouble& operator-=(const ErrorDouble& b) { return *this = *this - b; }
  ErrorDouble& operator*=(const ErrorDouble& b) { return *this = *this * b; }
  ErrorDouble& operator/=(const ErrorDouble& b) { return *this = *this / b; }

 private:
  double value_{0};
  double error_{0};
};

/// Square root of an exact value known to be >= 0. |sqrt(x) - sqrt(v)| is at most |x - v| / sqrt(v)
/// and at most sqrt(|x - v|).
inline ErrorDouble sqrt_nonnegative(const ErrorDouble& a) {
  const double v = std::sqrt(std::max(a.value(), 0.0));
  const double inherited = v > 0 ? std::min(a.error() / v, std::sqrt(a.error()))
                                 : std::sqrt(a.error() + std::max(-a.value(), 0.0));
  return {v, (inherited + ErrorDouble::kUnit * v) * ErrorDouble::kSlack + ErrorDouble::kTiny};
}

/// expm1(d) of d >= 0, at most, but for the error of the function: d + d^2 where that is enough.
inline double growth(double d) {
  return d <= 1 ? d + d * d : reproducible::expm1(d);
}

/// exp: |exp(v + d) - exp(v)| <= exp(v) expm1(|d|). Where exp(v) underflows it is below kTiny,
/// which a large d can raise again.
inline ErrorDouble exp(const ErrorDouble& a) {
  const double v = reproducible::exp(a.value());
  const double most = v * (1 + ErrorDouble::kFunctionError) + ErrorDouble::kTiny;
  const double e =
      most * (growth(a.error()) * (1 + ErrorDouble::kFunctionError) + ErrorDouble::kFunctionError);
  return {v, e * ErrorDouble::kSlack + ErrorDouble::kTiny};
}

/// log(1 + x) of an exact value x >= 0: the derivative is at most 1 / (1 + least x) there.
inline ErrorDouble log1p(const ErrorDouble& a) {
  const double v = reproducible::log1p(std::max(a.value(), 0.0));
  const double least = std::max(a.value() - a.error(), 0.0);
  const double inherited = a.error() / (1 + least) * ErrorDouble::kSlack;
  return {v,
          (inherited + ErrorDouble::kFunctionError * v) * ErrorDouble::kSlack + ErrorDouble::kTiny};
}

/// exp(x) - 1. |expm1(v + d) - expm1(v)| <= exp(v) expm1(|d|).
inline ErrorDouble expm1(const ErrorDouble& a) {
  const double v = reproducible::expm1(a.value());
  const double slope =
      (reproducible::exp(a.value()) + ErrorDouble::kTiny) * (1 + ErrorDouble::kFunctionError);
  const double inherited =
      slope * growth(a.error()) * (1 + ErrorDouble::kFunctionError) * ErrorDouble::kSlack;
  return {v, (inherited + ErrorDouble::kFunctionError * std::abs(v)) * ErrorDouble::kSlack +
                 ErrorDouble::kTiny};
}

/// log(x) of an exact value x > 0: the derivative is at most 1 / (least x). The bound is infinite
/// where the enclosure holds zero.
inline ErrorDouble log_positive(const ErrorDouble& a) {
  const double v = reproducible::log(a.value());
  const double least = (a.value() - a.error()) * ErrorDouble::kShrink;
  if (!(least > 0)) return {v, kInfinity};
  const double inherited = a.error() / least * ErrorDouble::kSlack;
  return {v, (inherited + ErrorDouble::kFunctionError * std::abs(v)) * ErrorDouble::kSlack +
                 ErrorDouble::kTiny};
}

inline ErrorDouble abs(const ErrorDouble& a) {
  return {std::abs(a.value()), a.error()};
}

/// The larger of two exact values. The smaller enclosure matters only by what it reaches above the
/// larger one's middle: with v_a >= v_b the error is max(e_a, e_b - (v_a - v_b)). A NaN on either
/// side stays.
inline ErrorDouble max(const ErrorDouble& a, const ErrorDouble& b) {
  const auto larger = [](double x, double y) { return std::isnan(x) || x > y ? x : y; };
  const bool a_first = std::isnan(a.value()) || a.value() >= b.value();
  const ErrorDouble& first = a_first ? a : b;
  const ErrorDouble& second = a_first ? b : a;
  const double reach = second.error() - (first.value() - second.value()) * ErrorDouble::kShrink;
  return {first.value(), larger(first.error(), reach * ErrorDouble::kSlack)};
}
inline ErrorDouble min(const ErrorDouble& a, const ErrorDouble& b) {
  return -max(-a, -b);
}

inline ErrorDouble square(const ErrorDouble& a) {
  return a * a;
}

}  // namespace attn
