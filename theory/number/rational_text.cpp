#include <fmt/format.h>

#include <cmath>

#include "theory/base/bad_input.hpp"
#include "theory/number/rational.hpp"

namespace attn {
namespace {

constexpr std::size_t kMaxCharacters = 20'000;
constexpr long kMaxExponent = 10'000;
constexpr unsigned kMaxPlaces = 30;

[[noreturn]] void refuse(BadInputKind kind, std::string_view text, std::string_view why) {
  throw BadInput({.kind = kind,
                  .expected = "an exact number",
                  .found = fmt::format("{}: {}", in_quotes(text), why),
                  .advice = "write a decimal (\"-0.25\", \"1e-3\") or a quotient (\"3/7\")"});
}

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  refuse(BadInputKind::malformed, text, why);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes the leading digits off `rest`.
std::string take_digits(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  std::string digits(rest.substr(0, n));
  rest.remove_prefix(n);
  return digits;
}

bool take(std::string_view& rest, std::string_view any_of) {
  if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

bool take_sign(std::string_view& rest) {
  const bool negative = !rest.empty() && rest.front() == '-';
  take(rest, "+-");
  return negative;
}

/// Without leading zeros, which gmp would read as an octal prefix.
Integer integer_of(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? Integer(0) : Integer(digits.substr(first));
}

Integer power_of_ten(unsigned exponent) {
  return boost::multiprecision::pow(Integer(10), exponent);
}

long take_exponent(std::string_view text, std::string_view& rest) {
  if (!take(rest, "eE")) return 0;
  const bool negative = take_sign(rest);
  const std::string digits = take_digits(rest);
  if (digits.empty()) refuse(text, "the exponent has no digits");
  constexpr std::size_t kMaxExponentDigits = 6;
  if (digits.size() > kMaxExponentDigits || std::stol(digits) > kMaxExponent) {
    refuse(BadInputKind::too_large, text, fmt::format("the exponent is beyond {}", kMaxExponent));
  }
  return negative ? -std::stol(digits) : std::stol(digits);
}

Rational parse_quotient(std::string_view text, std::size_t slash) {
  std::string_view top = text.substr(0, slash);
  std::string_view bottom = text.substr(slash + 1);
  const bool negative = take_sign(top);
  const std::string numerator = take_digits(top);
  const std::string denominator = take_digits(bottom);
  if (numerator.empty() || denominator.empty() || !top.empty() || !bottom.empty()) {
    refuse(text, "a quotient is integer/integer");
  }
  const Integer d = integer_of(denominator);
  if (d == 0) refuse(text, "the denominator is zero");
  const Rational value(integer_of(numerator), d);
  return negative ? Rational(-value) : value;
}

}  // namespace

Rational parse_rational(std::string_view text) {
  if (text.size() > kMaxCharacters) {
    refuse(BadInputKind::too_large, text,
           fmt::format("{} characters, at most {}", text.size(), kMaxCharacters));
  }
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    return parse_quotient(text, slash);
  }
  std::string_view rest = text;
  const bool negative = take_sign(rest);
  std::string digits = take_digits(rest);
  long places = 0;
  if (take(rest, ".")) {
    const std::string fraction = take_digits(rest);
    digits += fraction;
    places = static_cast<long>(fraction.size());
  }
  if (digits.empty()) refuse(text, "no digits");
  const long exponent = take_exponent(text, rest) - places;
  if (!rest.empty()) refuse(text, fmt::format("'{}' is out of place", rest.front()));
  const Integer mantissa = integer_of(digits);
  const Integer scale = power_of_ten(static_cast<unsigned>(std::labs(exponent)));
  const Rational value =
      exponent < 0 ? Rational(mantissa, scale) : Rational(Integer(mantissa * scale));
  return negative ? Rational(-value) : value;
}

Rational exact(double value) {
  if (!std::isfinite(value)) {
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .expected = "a finite number",
                    .found = fmt::format("{}", value),
                    .advice = "exact input needs one"});
  }
  return Rational(value);
}

std::optional<Rational> exact_root(const Rational& value) {
  const Integer top = numerator(value);
  const Integer bottom = denominator(value);
  if (mpz_perfect_square_p(top.backend().data()) == 0 ||
      mpz_perfect_square_p(bottom.backend().data()) == 0) {
    return std::nullopt;
  }
  return Rational(Integer(sqrt(top)), Integer(sqrt(bottom)));
}

std::string to_string(const Rational& value) {
  const Integer bottom = denominator(value);
  Integer scaled = numerator(value);
  unsigned places = 0;
  while (places <= kMaxPlaces && scaled % bottom != 0) {
    scaled *= 10;
    ++places;
  }
  if (places > kMaxPlaces) return value.to_long().str();
  const std::string sign = scaled < 0 ? "-" : "";
  const std::string digits = Integer(abs(scaled) / bottom).str();
  if (places == 0) return fmt::format("{}{}", sign, digits);
  const std::size_t whole = digits.size() > places ? digits.size() - places : 0;
  return fmt::format("{}{}.{:0>{}}", sign, whole == 0 ? "0" : digits.substr(0, whole),
                     digits.substr(whole), places);
}

}  // namespace attn
