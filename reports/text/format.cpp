#include "reports/text/format.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace attn::report {

/// Up to here a double tells each whole number.
constexpr double kLargestExact = 9e15;

std::string grouped(std::uint64_t value) {
  std::string text = fmt::format("{}", value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string rounded(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

std::string short_number(double value) {
  const double size = std::abs(value);
  constexpr double kRoundsToThousand = 999.5;
  if (!(size >= kRoundsToThousand) || !std::isfinite(value)) return rounded(value, 3);
  constexpr double kMostInFull = 1e7;
  if (size >= kMostInFull) {
    const std::string scientific = fmt::format("{:.1e}", value);  // rounded before it is cut
    const std::size_t e = scientific.find('e');
    return fmt::format("{}e{}", rounded(std::stod(scientific.substr(0, e)), 2),
                       std::stoi(scientific.substr(e + 1)));
  }
  const double unit = std::pow(10, std::floor(std::log10(size)) - 2);
  const auto whole = static_cast<std::uint64_t>(std::round(size / unit) * unit);
  return fmt::format("{}{}", value < 0 ? "-" : "", grouped(whole));
}

std::string count_text(double value) {
  if (!(value >= 0 && value < kLargestExact) || value != std::floor(value)) {
    return short_number(value);
  }
  return grouped(static_cast<std::uint64_t>(value));
}

std::string ratio_text(double ratio) {
  if (ratio == std::numeric_limits<double>::infinity()) return "infinite";
  if (ratio > 1e308) return "over 1e308";
  const double from_one = std::abs(ratio - 1.0);
  if (ratio == 1.0 || !(from_one < 5e-4)) return rounded(ratio);
  const bool below = ratio < 1.0;
  if (from_one < 1e-12) return below ? "just below 1" : "just above 1";
  return fmt::format("1 {} {:.0e}", below ? "-" : "+", from_one);
}

std::string six_digits(std::string_view decimal) {
  std::string text(decimal);
  const double value = std::strtod(text.c_str(), nullptr);
  const auto mantissa_end = text.find_first_of("eE");
  const bool is_zero = text.substr(0, mantissa_end).find_first_of("123456789") == std::string::npos;
  const bool fits = std::isfinite(value) && (is_zero || std::abs(value) > 1e-300);
  if (fits) return rounded(value, 6);
  if (mantissa_end == std::string::npos) return text;
  return rounded(std::strtod(text.substr(0, mantissa_end).c_str(), nullptr), 6) +
         text.substr(mantissa_end);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  if (part == 0) return "0 %";
  if (part == whole) return "100 %";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (share < 0.1) return "< 0.1 %";
  if (share > 99.9) return "> 99.9 %";
  return fmt::format("{:.{}f} %", share, share < 10 || share > 99 ? 1 : 0);
}

std::string percent(double share) {
  const std::string number = rounded(100 * share, 3);
  return share < 1 && number == "100" ? "> 99.9 %" : number + " %";
}

std::string wrapped(const std::string& text, std::size_t first, std::size_t rest) {
  constexpr std::size_t kColumns = 100;
  std::istringstream words(text);
  std::string out, line(first, ' ');
  bool is_empty = true;
  for (std::string word; words >> word;) {
    if (!is_empty && line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line.assign(rest, ' ');
      is_empty = true;
    }
    if (!is_empty) line += ' ';
    line += word;
    is_empty = false;
  }
  return out + line + "\n";
}

std::string duration(double seconds) {
  if (!(seconds >= 60 && seconds < kLargestExact)) {
    return fmt::format("{} s", rounded(seconds, seconds < 10 ? 2 : 3));
  }
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace attn::report
