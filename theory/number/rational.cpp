#include "theory/number/rational.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

constexpr std::size_t kDoubleBits = std::numeric_limits<double>::digits;

/// The largest number that divides two integers of at most 53 bits; b > 0.
double common_factor(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(std::gcd(a % b, b));  // one division spares many steps
}

/// The largest odd number that divides a short rational's top and an odd bottom.
double common_factor(double top, double bottom) {
  if (bottom == 1) return 1;
  if (top == 0) return bottom;
  return common_factor(odd_and_power(top).odd, static_cast<std::uint64_t>(bottom));
}

/// The double that top / 2^`shift` is; nothing where it is none.
std::optional<double> as_double(mpz_srcptr top, std::size_t shift) {
  if (mpz_sgn(top) == 0) return 0.0;
  const std::size_t zeros = mpz_scan1(top, 0);
  const std::size_t bits = mpz_sizeinbase(top, 2);
  if (bits - zeros > kDoubleBits) return std::nullopt;
  const auto exponent = static_cast<std::ptrdiff_t>(zeros) - static_cast<std::ptrdiff_t>(shift);
  const auto above = static_cast<std::ptrdiff_t>(bits) - static_cast<std::ptrdiff_t>(shift);
  using Limits = std::numeric_limits<double>;
  constexpr int kLeastExponent = Limits::min_exponent - Limits::digits;
  if (exponent < kLeastExponent || above > Limits::max_exponent) return std::nullopt;
  long power = 0;
  const double fraction = mpz_get_d_2exp(&power, top);
  return std::ldexp(fraction, static_cast<int>(power - static_cast<std::ptrdiff_t>(shift)));
}

}  // namespace

Rational::Rational(const Integer& value) : Rational(LongRational(value)) {}

Rational::Rational(const Integer& top, const Integer& bottom)
    : Rational(LongRational(top, bottom)) {}

Rational::Rational(LongRational value) {
  mpz_srcptr const bottom = mpq_denref(value.backend().data());
  const std::size_t shift = mpz_scan1(bottom, 0);
  if (const auto odd = as_double(bottom, shift)) {
    if (const auto top = as_double(mpq_numref(value.backend().data()), shift)) {
      top_ = *top;
      bottom_ = *odd;
      return;
    }
  }
  bottom_ = 0;
  long_ = std::make_shared<const LongRational>(std::move(value));
}

LongRational Rational::to_long() const {
  if (long_) return *long_;
  return is_double() ? LongRational(top_)
                     : LongRational(LongRational(top_) / LongRational(bottom_));
}

const LongRational& Rational::as_long(std::optional<LongRational>& room) const {
  return long_ ? *long_ : room.emplace(to_long());
}

std::size_t Rational::words() const {
  if (is_short()) return 0;
  mpq_srcptr const value = long_->backend().data();
  return mpz_size(mpq_numref(value)) + mpz_size(mpq_denref(value));
}

// From the first 63 or 64 bits of the quotient, the last of them set where any follow: of a normal
// number they round as the whole does.
double Rational::nearest_of_long() const {
  mpz_srcptr const top = mpq_numref(long_->backend().data());
  mpz_srcptr const bottom = mpq_denref(long_->backend().data());
  const std::size_t shift = mpz_sizeinbase(bottom, 2) + 63 - mpz_sizeinbase(top, 2);
  constexpr std::size_t kMostShift = 900;
  if (shift > kMostShift) return long_->convert_to<double>();  // also where it is below 0
  Integer quotient, rest;
  mpz_ptr const leading = quotient.backend().data();
  mpz_mul_2exp(leading, top, shift);
  mpz_tdiv_qr(leading, rest.backend().data(), leading, bottom);
  const std::uint64_t bits = mpz_get_ui(leading) | (rest == 0 ? 0U : 1U);
  const double size = std::ldexp(static_cast<double>(bits), -static_cast<int>(shift));
  return mpz_sgn(top) < 0 ? -size : size;
}

Rational Rational::over(double top, double bottom) {
  const double factor = common_factor(top, bottom);
  Rational result(top / factor);
  result.bottom_ = bottom / factor;
  return result;
}

Rational Rational::minus_long() const {
  return Rational(LongRational(-*long_));
}

// A product of odd numbers is a double just where it has at most 53 bits.

// With g the largest common factor of b and d, a/b + c/d = (a (d/g) + c (b/g)) / (b (d/g)).
Rational Rational::add(const Rational& a, const Rational& b) {
  if (a.is_short() && b.is_short()) {
    const double factor = a.bottom_ == b.bottom_ ? a.bottom_ : common_factor(a.bottom_, b.bottom_);
    const double of_a = exact_product(a.top_, b.bottom_ / factor);
    const double of_b = exact_product(b.top_, a.bottom_ / factor);
    const double top = exact_sum(of_a, of_b);
    const double bottom = exact_product(a.bottom_, b.bottom_ / factor);
    if (!std::isnan(top + bottom)) return over(top, bottom);
  }
  std::optional<LongRational> of_a, of_b;
  return Rational(LongRational(a.as_long(of_a) + b.as_long(of_b)));
}

// What is left when factors in common are divided out crosswise has none.
Rational Rational::multiply(const Rational& a, const Rational& b) {
  if (a.is_short() && b.is_short()) {
    const double of_a = common_factor(a.top_, b.bottom_);
    const double of_b = common_factor(b.top_, a.bottom_);
    const double top = exact_product(a.top_ / of_a, b.top_ / of_b);
    const double bottom = exact_product(a.bottom_ / of_b, b.bottom_ / of_a);
    if (!std::isnan(top + bottom)) {
      Rational result(top);
      result.bottom_ = bottom;
      return result;
    }
  }
  std::optional<LongRational> of_a, of_b;
  return Rational(LongRational(a.as_long(of_a) * b.as_long(of_b)));
}

std::optional<Rational> Rational::inverse(const Rational& b) {
  const auto odd = static_cast<double>(odd_and_power(b.top_).odd);
  const double top = exact_quotient(b.bottom_, b.top_ / odd);
  if (std::isnan(top)) return std::nullopt;
  Rational result(top);
  result.bottom_ = odd;
  return result;
}

Rational Rational::divide(const Rational& a, const Rational& b) {
  if (a.is_short() && b.is_short() && b.top_ != 0) {
    if (const auto factor = inverse(b)) return a * *factor;
  }
  std::optional<LongRational> of_a, of_b;
  return Rational(LongRational(a.as_long(of_a) / b.as_long(of_b)));
}

// Rounding keeps the order of two numbers, but may make them equal.
std::strong_ordering Rational::compare(const Rational& a, const Rational& b) {
  if (a.is_short() && b.is_short()) {
    if (a == b) return std::strong_ordering::equal;
    const double near_a = a.nearest();
    const double near_b = b.nearest();
    if (near_a != near_b) {
      return near_a < near_b ? std::strong_ordering::less : std::strong_ordering::greater;
    }
  }
  std::optional<LongRational> of_a, of_b;
  return a.as_long(of_a).compare(b.as_long(of_b)) <=> 0;
}

Integer numerator(const Rational& value) {
  return boost::multiprecision::numerator(value.to_long());
}

Integer denominator(const Rational& value) {
  return boost::multiprecision::denominator(value.to_long());
}

std::ostream& operator<<(std::ostream& out, const Rational& value) {
  return out << value.to_long();
}

namespace {

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

/// Takes the leading digits off `rest`.
std::string take_digits(std::string_view& rest) {
  const std::size_t n = std::min(rest.find_first_not_of("0123456789"), rest.size());
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

long take_exponent(std::string_view text, std::string_view& rest) {
  if (!take(rest, "eE")) return 0;
  const bool negative = take_sign(rest);
  std::string digits = take_digits(rest);
  if (digits.empty()) refuse(text, "the exponent has no digits");
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
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
  if (text.size() > kMostCharacters) {
    refuse(BadInputKind::too_large, text,
           fmt::format("{} characters, at most {}", text.size(), kMostCharacters));
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
  const Integer scale = pow(Integer(10), static_cast<unsigned>(std::labs(exponent)));
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

namespace {

/// What to_string says of a double whose numerator and denominator have 63 bits at most; empty of
/// others.
std::string text_of(double value) {
  constexpr int kMostBits = 63;
  const auto [odd, exponent] = odd_and_power(value);
  const char* const sign = value < 0 ? "-" : "";
  if (exponent >= 0) {
    if (exponent + static_cast<int>(std::bit_width(odd)) > kMostBits) return {};
    return fmt::format("{}{}", sign, odd << exponent);
  }
  const int places = -exponent;
  if (places <= static_cast<int>(kMaxPlaces)) return fmt::format("{:.{}f}", value, places);
  if (places > kMostBits) return {};
  return fmt::format("{}{}/{}", sign, odd, std::uint64_t{1} << places);
}

}  // namespace

// A quotient ends after as many places as its denominator has factors 2 or 5, whichever are more.
std::string to_string(const Rational& value) {
  if (value.is_double()) {
    if (std::string text = text_of(value.nearest()); !text.empty()) return text;
  }
  const LongRational exact = value.to_long();
  mpz_srcptr const bottom = mpq_denref(exact.backend().data());
  const mp_bitcnt_t twos = mpz_scan1(bottom, 0);
  Integer rest;
  mpz_tdiv_q_2exp(rest.backend().data(), bottom, twos);
  const mp_bitcnt_t fives =
      mpz_remove(rest.backend().data(), rest.backend().data(), Integer(5).backend().data());
  const auto places = static_cast<unsigned>(std::max(twos, fives));
  if (rest != 1 || places > kMaxPlaces) return exact.str();
  const Integer scaled = numerator(LongRational(exact * pow(Integer(10), places)));
  const std::string sign = scaled < 0 ? "-" : "";
  const std::string digits = Integer(abs(scaled)).str();
  if (places == 0) return fmt::format("{}{}", sign, digits);
  const std::size_t whole = digits.size() > places ? digits.size() - places : 0;
  return fmt::format("{}{}.{:0>{}}", sign, whole == 0 ? "0" : digits.substr(0, whole),
                     digits.substr(whole), places);
}

}  // namespace attn
