#include "theory/recheck/decimal.hpp"

#include <fmt/format.h>

namespace attn::recheck {
namespace {

constexpr long kDigits = 50;
/// Enough for 50 digits of a number of any size that Arb can hold here.
constexpr slong kBits = 320;

/// x 10^exponent, exactly where 320 bits hold it.
Arb times_power_of_ten(const Arb& x, const mpz_class& exponent) {
  fmpz_t size;
  fmpz_init(size);
  fmpz_set_mpz(size, exponent.get_mpz_t());
  fmpz_abs(size, size);
  Arb power;
  arb_pow_fmpz(power.get(), Arb(10).get(), size, working_bits);
  fmpz_clear(size);
  return exponent < 0 ? x / power : x * power;
}

/// The largest integer <= x, or the smallest >= x.
mpz_class integer_at(const Arb& x, bool up) {
  fmpz_t whole;
  fmpz_init(whole);
  const Arb end = up ? upper(x) : lower(x);
  arf_get_fmpz(whole, arb_midref(end.get()), up ? ARF_RND_CEIL : ARF_RND_FLOOR);
  mpz_class value;
  fmpz_get_mpz(value.get_mpz_t(), whole);
  fmpz_clear(whole);
  return value;
}

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
  // Close to a power of ten the magnitude may be one off, and the digits one too many or too few.
  mpz_class magnitude = integer_at(log(size) / log(Arb(10)), false);
  mpz_class scaled = integer_at(times_power_of_ten(size, kDigits - 1 - magnitude), up);
  if (scaled.get_str().size() > kDigits) {
    magnitude += 1;
    (up ? mpz_cdiv_q_ui : mpz_fdiv_q_ui)(scaled.get_mpz_t(), scaled.get_mpz_t(), 10);
  } else if (scaled.get_str().size() < kDigits) {
    magnitude -= 1;
    scaled *= 10;
  }
  return layout(scaled.get_str(), magnitude);
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
