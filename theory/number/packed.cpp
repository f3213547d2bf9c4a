#include "theory/number/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

constexpr int kMantissaBits = std::numeric_limits<double>::digits;

/// Appends a double that is m 2^-e with an odd m, or an integer of at most 53 bits.
bool append_short(std::string& text, double value) {
  const OddAndPower size = odd_and_power(value);
  const char* const sign = value < 0 ? "-" : "";
  if (size.exponent < 0) {
    fmt::format_to(std::back_inserter(text), "{}{}p{}", sign, size.odd, size.exponent);
    return true;
  }
  if (size.exponent + static_cast<int>(std::bit_width(size.odd)) > kMantissaBits) return false;
  fmt::format_to(std::back_inserter(text), "{}{}", sign, size.odd << size.exponent);
  return true;
}

template <class Whole>
std::optional<Whole> whole(std::string_view text) {
  Whole value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse(std::string_view number) {
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = "an exact number, such as -3, -3p-24 or 1/3",
                  .found = in_quotes(number)});
}

/// m 2^-e, of an odd m of at most 53 bits and an e > 0 that a double has.
Rational over_power(std::string_view number, std::size_t at) {
  const auto top = whole<std::int64_t>(number.substr(0, at));
  const auto power = whole<int>(number.substr(at + 1));
  if (!top || !power || *power >= 0 || *top % 2 == 0) refuse(number);
  const double mantissa = static_cast<double>(*top);
  const double value = std::ldexp(mantissa, *power);
  const bool is_exact =
      std::abs(mantissa) < std::ldexp(1.0, kMantissaBits) && std::ldexp(value, -*power) == mantissa;
  if (!is_exact) refuse(number);
  return Rational(value);
}

Rational number_from(std::string_view number) {
  if (const auto at = number.find('p'); at != number.npos) return over_power(number, at);
  if (const auto small = whole<std::int32_t>(number)) return Rational(*small);
  return parse_rational(number);
}

}  // namespace

std::string packed(const std::vector<Rational>& numbers) {
  std::string text;
  for (const Rational& number : numbers) {
    if (!text.empty()) text += ' ';
    if (number.is_double() && append_short(text, number.nearest())) continue;
    text += to_string(number);
  }
  return text;
}

std::vector<Rational> unpacked(std::string_view text) {
  std::vector<Rational> numbers;
  for (std::size_t end = 0; end < text.size() + 1; ++end) {
    const std::size_t start = end;
    end = std::min(text.find(' ', start), text.size());
    numbers.push_back(number_from(text.substr(start, end - start)));
  }
  return numbers;
}

}  // namespace attn
