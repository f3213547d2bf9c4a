#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn::report {

/// An integer with its digits in groups of three: 1234567 -> "1,234,567".
std::string grouped(std::uint64_t value);

/// A number to `digits` significant digits, trailing zeros dropped; "inf", "-inf" or "nan".
std::string rounded(double value, int digits = 4);

/// A ratio lhs/rhs to four digits, never rounded across 1: "0.8125", "1", "1 - 3e-08",
/// "just below 1" where the difference is less than 1e-12; "infinite".
std::string ratio_text(double ratio);

/// A measured number to three significant digits: "0.0123", "1,630", "2.4e8".
std::string short_number(double value);

/// A number that counts something: "1,024"; one that is not whole as `short_number`.
std::string count_text(double value);

/// A long decimal string ("0.98184...") to six significant digits. Values outside the range of a
/// double keep their exponent.
std::string six_digits(std::string_view decimal);

/// A share of a whole in per cent: "41 %", "0.3 %", "0 %" only where `part` is 0, "100 %" only
/// where it is all of `whole`.
std::string percent(std::uint64_t part, std::uint64_t whole);

/// A share in [0, 1] in per cent, to three significant digits: "0.211 %"; "100 %" only of 1.
std::string percent(double share);

/// `text` in lines of at most 100 columns, broken between words; the first line starts with `first`
/// spaces, the others with `rest`. A word longer than a line stands on one of its own.
std::string wrapped(const std::string& text, std::size_t first, std::size_t rest);

/// Seconds as a person says them: "42 s", "3 min 5 s".
std::string duration(double seconds);

}  // namespace attn::report
