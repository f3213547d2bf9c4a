#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace attn {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// exp, expm1, log and log1p of doubles, to within two units in the last place: the same bits on
/// every processor and with every C library, whose own take other instructions where a processor
/// has fused multiply-add. Of additions, multiplications and divisions alone, as written: to be
/// compiled without contraction. None of them sets errno.
namespace reproducible {

namespace detail {

/// Added to a double of absolute value below 2^51, it leaves the nearest integer in the last bits.
inline constexpr double kShift = 0x1.8p52;

/// ln 2; the first part has 32 bits, so that its product with an exponent is exact.
inline constexpr double kLn2 = 0x1.62e42feep-1, kLn2Rest = 0x1.a39ef35793c76p-33;

/// 2^k for an integer k in -1022..1023.
inline double power_of_two(double k) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(k + (kShift + 1023)) << 52);
}

/// x = k ln 2 + r for an integer k; expm1 = e^r - 1, |r| <= ln(2)/2.
struct Reduced {
  double k, expm1;
};

/// The Taylor polynomial of degree 13 errs by 2^-57 at most.
inline Reduced reduced(double x) {
  const double k = (x * 0x1.71547652b82fep0 + kShift) - kShift;
  const double r = (x - k * kLn2) - k * kLn2Rest;
  const double r2 = r * r, r4 = r2 * r2;
  const double low = (1.0 / 2 + 1.0 / 6 * r) + (1.0 / 24 + 1.0 / 120 * r) * r2;
  const double middle = (1.0 / 720 + 1.0 / 5040 * r) + (1.0 / 40320 + 1.0 / 362880 * r) * r2;
  const double high =
      (1.0 / 3628800 + 1.0 / 39916800 * r) + (1.0 / 479001600 + 1.0 / 6227020800 * r) * r2;
  return {k, r + r2 * (low + r4 * (middle + r4 * high))};
}

}  // namespace detail

inline double exp(double x) {
  x = x < -746 ? -746 : x;  // 0
  x = x > 710 ? 710 : x;    // infinity
  const detail::Reduced of = detail::reduced(x);
  // In two steps, for 2^k need not be a normal double.
  const double half = (of.k * 0.5 + detail::kShift) - detail::kShift;
  return (1 + of.expm1) * detail::power_of_two(half) * detail::power_of_two(of.k - half);
}

inline double expm1(double x) {
  x = x < -40 ? -40 : x;  // -1
  x = x > 710 ? 710 : x;  // infinity
  const detail::Reduced of = detail::reduced(x);
  // In two steps, for 2^k need not be a double.
  const double most = of.k < 1000 ? of.k : 1000;
  const double power = detail::power_of_two(most);
  return (power * of.expm1 + (power - 1)) * detail::power_of_two(of.k - most);
}

inline double log(double x) {
  if (!(x > 0)) return x == 0 ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
  if (x == kInfinity) return x;
  const bool is_normal = x >= std::numeric_limits<double>::min();
  // x = 2^k (1 + f), where 1 + f begins at sqrt(1/2), cut to its first bits.
  const auto bits = std::bit_cast<std::uint64_t>(is_normal ? x : x * 0x1p54);
  const auto above = static_cast<std::int64_t>(bits - 0x3fe6a09e00000000);
  const auto k = static_cast<double>((above >> 52) - (is_normal ? 0 : 54));
  const double f =
      std::bit_cast<double>(bits - (static_cast<std::uint64_t>(above >> 52) << 52)) - 1;
  // log(1 + f) = 2 artanh(s) = 2 s + s rest, and 2 s = f - f^2/2 + s f^2/2.
  const double s = f / (2 + f), z = s * s, z2 = z * z, z4 = z2 * z2;
  const double rest = z * (((2.0 / 3 + 2.0 / 5 * z) + (2.0 / 7 + 2.0 / 9 * z) * z2) +
                           z4 * (((2.0 / 11 + 2.0 / 13 * z) + (2.0 / 15 + 2.0 / 17 * z) * z2) +
                                 z4 * ((2.0 / 19 + 2.0 / 21 * z) + 2.0 / 23 * z2)));
  const double half_square = 0.5 * f * f;
  return k * detail::kLn2 - ((half_square - (s * (half_square + rest) + k * detail::kLn2Rest)) - f);
}

inline double log1p(double x) {
  if (!(x < 0x1p54)) return log(x);
  const double u = 1 + x;
  if (!(u > 0)) return log(u);
  const double lost = x < 1 ? x - (u - 1) : 1 - (u - x);
  return log(u) + lost / u;
}

}  // namespace reproducible
}  // namespace attn
