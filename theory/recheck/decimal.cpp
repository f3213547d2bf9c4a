#include <fmt/format.h>

#include "theory/recheck/check.hpp"

namespace attn::recheck {
namespace {

constexpr long kDigits = 50;
/// Enough for 50 digits of a number of any size that Arb can hold here.
constexpr slong kBits = 320;

std::string layout(const std::string& digits, const mpz_class& magnitude) {
  if (magnitude < 0 && magnitude > -20) {
    const auto zeros = static_cast<std::size_t>(-magnitude.get_si() - 1);
    return fmt::format("0.{}{}", std::string(zeros, '0'), digits);
  }
  if (magnitude >= 0 && magnitude < kDigits - 1) {
    const auto whole = static_cast<std::size_t>(magnitude.get_si() + 1);
    return fmt::format("{}.{}", digits.substr(0, whole), digits.substr(whole));
  }
  return fmt::format("{}.{}e{}", digits.substr(0, 1), digits.substr(1), magnitude.get_str());
}

/// Beyond 2^(2^60) and its inverse a number has too many digits before or behind its point to count
/// them. It is above 10^(10^17), or below its inverse.
constexpr slong kFarExponent = 1L << 60;
const mpz_class kFarMagnitude("100000000000000000");

std::string power_of_ten(const mpz_class& magnitude) {
  return layout("1" + std::string(kDigits - 1, '0'), magnitude);
}

/// A size > 0, known exactly, rounded up or down.
std::string decimal(const Arb& size, bool up) {
  const fmpz* const exponent = ARF_EXPREF(arb_midref(size.get()));
  if (fmpz_cmp_si(exponent, kFarExponent) > 0) return up ? "inf" : power_of_ten(kFarMagnitude);
  if (fmpz_cmp_si(exponent, -kFarExponent) < 0) return up ? power_of_ten(-kFarMagnitude) : "0";
  // More digits than are shown, so that what they are off by is seldom seen.
  constexpr slong kSpare = 60;
  fmpz_t middle, radius, power;
  for (fmpz* const x : {middle, radius, power}) fmpz_init(x);
  arb_get_fmpz_mid_rad_10exp(middle, radius, power, size.get(), kDigits + kSpare);
  (up ? fmpz_add : fmpz_sub)(middle, middle, radius);
  mpz_class digits, exponent_of_ten;
  fmpz_get_mpz(digits.get_mpz_t(), middle);
  fmpz_get_mpz(exponent_of_ten.get_mpz_t(), power);
  for (fmpz* const x : {middle, radius, power}) fmpz_clear(x);
  const auto rounded = up ? mpz_cdiv_q : mpz_fdiv_q;
  while (digits.get_str().size() > kDigits) {
    mpz_class divisor;
    mpz_ui_pow_ui(divisor.get_mpz_t(), 10, digits.get_str().size() - kDigits);
    exponent_of_ten += digits.get_str().size() - kDigits;
    rounded(digits.get_mpz_t(), digits.get_mpz_t(), divisor.get_mpz_t());
  }
  return layout(digits.get_str(), exponent_of_ten + kDigits - 1);
}

/// One end of a ball, rounded up or down.
std::string end_of(const Arb& end, bool up) {
  if (is_zero(end)) return "0";
  if (arb_is_finite(end.get()) == 0) return up ? "inf" : "-inf";
  if (Arb(0) < end) return decimal(end, up);
  const std::string size = decimal(-end, !up);
  return size == "0" ? size : "-" + size;
}

}  // namespace

Ball decimals(const Arb& x) {
  const Precision precision(kBits);
  return {end_of(lower(x), false), end_of(upper(x), true)};
}

}  // namespace attn::recheck
