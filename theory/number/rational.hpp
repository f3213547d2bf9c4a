#pragma once

#include <bit>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

// Arithmetic of finite doubles as long as the exact result is a double: NaN where it is not, or
// where that is not known. What is found out costs no more than a few operations in double. Assumes
// IEEE binary64 in round-to-nearest.

/// What says that no double is the exact result.
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

/// |x| of a finite double as an odd integer of at most 53 bits times a power of two; 0 times 1 for
/// 0.
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

using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// A rational of any length.
using LongRational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                                   boost::multiprecision::et_off>;

/// An exact rational number: what every input is, before any arithmetic.
///
/// Held in lowest terms as a double over an odd number of at most 53 bits where it can be, which
/// costs no memory of its own, and as a LongRational only where it cannot. Drawn logits and floats
/// are such doubles over 1, drawn weights such quotients. The form follows from the value, so that
/// equal numbers are equal in every part.
class Rational {
 public:
  Rational() = default;
  template <std::integral I>
  Rational(I value) : Rational(of_integer(value)) {}  // NOLINT: an integer is a rational
  Rational(const Integer& value);                     // NOLINT: so is a long one
  /// The value of a finite double.
  explicit Rational(double value) : top_(value + 0.0) {}  // no -0, which would be another 0
  explicit Rational(LongRational value);
  /// top / bottom. Throws std::overflow_error for a bottom of 0.
  template <std::integral I, std::integral J>
  Rational(I top, J bottom) : Rational(Rational(top) / Rational(bottom)) {}
  Rational(const Integer& top, const Integer& bottom);

  /// Whether the number is a double.
  [[nodiscard]] bool is_double() const { return bottom_ == 1; }
  /// Whether it is a double over an odd number of at most 53 bits, so that nearest() rounds once.
  [[nodiscard]] bool is_short() const { return !long_; }
  /// The words of 64 bits that the numerator and the denominator take, 0 where the number is short.
  [[nodiscard]] std::size_t words() const;
  /// The nearest double; of a long fraction that is no normal number one unit off at most.
  [[nodiscard]] double nearest() const {
    if (is_double()) return top_;
    return is_short() ? top_ / bottom_ : nearest_of_long();
  }
  [[nodiscard]] LongRational to_long() const;
  /// -1, 0 or 1.
  [[nodiscard]] int sign() const {
    return long_ ? long_->sign() : static_cast<int>(top_ > 0) - static_cast<int>(top_ < 0);
  }
  Rational operator-() const {
    if (!is_short()) return minus_long();
    Rational result(-top_);
    result.bottom_ = bottom_;
    return result;
  }
  friend Rational operator+(const Rational& a, const Rational& b) {
    const double sum = a.is_double() && b.is_double() ? exact_sum(a.top_, b.top_) : kNoDouble;
    return std::isnan(sum) ? add(a, b) : Rational(sum);
  }
  friend Rational operator-(const Rational& a, const Rational& b) {
    const double sum = a.is_double() && b.is_double() ? exact_sum(a.top_, -b.top_) : kNoDouble;
    return std::isnan(sum) ? add(a, -b) : Rational(sum);
  }
  friend Rational operator*(const Rational& a, const Rational& b) {
    const double product =
        a.is_double() && b.is_double() ? exact_product(a.top_, b.top_) : kNoDouble;
    return std::isnan(product) ? multiply(a, b) : Rational(product);
  }
  /// Throws std::overflow_error for b = 0.
  friend Rational operator/(const Rational& a, const Rational& b) {
    const double quotient =
        a.is_double() && b.is_double() ? exact_quotient(a.top_, b.top_) : kNoDouble;
    return std::isnan(quotient) ? divide(a, b) : Rational(quotient);
  }
  Rational& operator+=(const Rational& b) { return *this = *this + b; }
  Rational& operator-=(const Rational& b) { return *this = *this - b; }
  Rational& operator*=(const Rational& b) { return *this = *this * b; }
  Rational& operator/=(const Rational& b) { return *this = *this / b; }

  friend bool operator==(const Rational& a, const Rational& b) {
    return a.long_ && b.long_ ? *a.long_ == *b.long_ : a.top_ == b.top_ && a.bottom_ == b.bottom_;
  }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    if (!(a.is_double() && b.is_double())) return compare(a, b);
    return a.top_ < b.top_   ? std::strong_ordering::less
           : a.top_ > b.top_ ? std::strong_ordering::greater
                             : std::strong_ordering::equal;
  }
  friend std::ostream& operator<<(std::ostream& out, const Rational& value);

 private:
  /// top / bottom, of any common factor; bottom is an odd integer of at most 53 bits.
  static Rational over(double top, double bottom);
  template <std::integral I>
  static Rational of_integer(I value) {
    constexpr auto kMost = std::int64_t{1} << 53;
    const bool fits = std::cmp_less_equal(value, kMost) && std::cmp_greater_equal(value, -kMost);
    return fits ? Rational(static_cast<double>(value)) : Rational(Integer(value));
  }
  [[nodiscard]] double nearest_of_long() const;
  /// The number in its long form: its own, or one that is made in `room`.
  [[nodiscard]] const LongRational& as_long(std::optional<LongRational>& room) const;
  [[nodiscard]] Rational minus_long() const;

  static Rational add(const Rational& a, const Rational& b);
  static Rational multiply(const Rational& a, const Rational& b);
  static Rational divide(const Rational& a, const Rational& b);
  /// 1 / b; nothing where that is not short. b is short, and not 0.
  static std::optional<Rational> inverse(const Rational& b);
  static std::strong_ordering compare(const Rational& a, const Rational& b);

  double top_{0};
  double bottom_{1};  ///< odd and without a factor in common with top; 0 where it is long
  std::shared_ptr<const LongRational> long_;
};

inline Rational abs(const Rational& value) {
  return value.sign() < 0 ? -value : value;
}

inline Rational square(const Rational& value) {
  return value * value;
}

inline Rational max(const Rational& a, const Rational& b) {
  return a < b ? b : a;
}

inline Rational min(const Rational& a, const Rational& b) {
  return b < a ? b : a;
}

/// The numerator and the denominator in lowest terms, the denominator > 0.
Integer numerator(const Rational& value);
Integer denominator(const Rational& value);

/// A longer text is no number that anybody means.
inline constexpr std::size_t kMostCharacters = 20'000;

/// Reads a decimal ("-0.377166", "1e-3") or a quotient of integers ("3/7"), exactly.
/// Throws BadInput for anything else, for a zero denominator, for more than kMostCharacters and
/// for exponents beyond +-10,000.
Rational parse_rational(std::string_view text);

/// The exact value of a finite double (and, by widening, of a float). Throws BadInput for NaN and
/// infinities.
Rational exact(double value);

/// The square root of a rational >= 0 where that is rational.
std::optional<Rational> exact_root(const Rational& value);

/// The shortest exact form: a decimal where it ends within 30 places, else "p/q".
std::string to_string(const Rational& value);

}  // namespace attn
