#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace attn {

// Arithmetic of finite doubles as long as the exact result is a double: NaN where it is not, or
// where that is not known. What is found out costs no more than a few operations in double. Assumes
// IEEE binary64 in round-to-nearest.

/// What says that there is no such double.
inline constexpr double kNoDouble = std::numeric_limits<double>::quiet_NaN();

/// Products and dividends below this may lose what a remainder shows to underflow.
inline constexpr double kLeastExact = 0x1p-960;

/// a + b. The rounding error of a sum is a double, and TwoSum (Knuth) finds it; overflow makes it a
/// NaN.
inline double exact_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  const double error = (a - (sum - of_b)) + (b - of_b);
  return error == 0 ? sum : kNoDouble;
}

/// a b. The rounding error of a product of at least kLeastExact is a double, and fma finds it.
inline double exact_product(double a, double b) {
  const double product = a * b;
  if (!(std::abs(product) >= kLeastExact)) return a == 0 || b == 0 ? 0.0 : kNoDouble;
  return std::fma(a, b, -product) == 0 ? product : kNoDouble;
}

/// a / b. The remainder a - (a/b) b of a dividend of at least kLeastExact is a double, or at least
/// does not underflow, and fma finds it.
inline double exact_quotient(double a, double b) {
  if (a == 0 && b != 0) return 0.0;
  const double quotient = a / b;
  const bool in_range = std::abs(a) >= kLeastExact && std::abs(quotient) >= kLeastExact;
  return in_range && std::fma(quotient, b, -a) == 0 ? quotient : kNoDouble;
}

/// |x| as an odd integer of at most 53 bits times a power of two; 0 times 1 for 0.
struct OddAndPower {
  std::uint64_t odd;
  int exponent;
};

/// Of a finite double.
inline OddAndPower odd_and_power(double x) {
  if (x == 0) return {0, 0};
  constexpr int kFractionBits = std::numeric_limits<double>::digits - 1;
  constexpr int kLeastExponent = std::numeric_limits<double>::min_exponent - 1 - kFractionBits;
  constexpr auto kHiddenBit = std::uint64_t{1} << kFractionBits;
  const auto pattern = std::bit_cast<std::uint64_t>(std::abs(x));
  const auto biased = static_cast<int>(pattern >> kFractionBits);  // 0 where there is no hidden bit
  const std::uint64_t fraction = pattern & (kHiddenBit - 1);
  const std::uint64_t bits = biased > 0 ? fraction | kHiddenBit : fraction;
  const int zeros = std::countr_zero(bits);
  return {bits >> zeros, kLeastExponent + (biased > 0 ? biased - 1 : 0) + zeros};
}

}  // namespace attn
