#include "gpt2_check/cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "theory/base/bad_input.hpp"

namespace attn::gpt2::arguments {
namespace {

/// The whole of `text` as a number.
template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> split(std::string_view value) {
  std::vector<std::string_view> parts;
  std::size_t comma = 0;
  while ((comma = value.find(',')) != std::string_view::npos) {
    parts.push_back(value.substr(0, comma));
    value.remove_prefix(comma + 1);
  }
  parts.push_back(value);
  return parts;
}

/// Every item of a list that `is_valid` accepts, or BadInput.
template <class Number, class IsValid>
std::vector<Number> list(const std::string& flag, const std::string& value,
                         const std::string& expected, const IsValid& is_valid) {
  std::vector<Number> numbers;
  for (const std::string_view part : split(value)) {
    const auto number = parse<Number>(part);
    if (!number || !is_valid(*number)) {
      throw BadInput(fmt::format("{}: expected {}, found '{}'", flag, expected, part));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<std::int64_t> integers(const std::string& flag, const std::string& value,
                                   std::int64_t lowest, std::int64_t highest) {
  const std::string expected =
      highest == std::numeric_limits<std::int64_t>::max()
          ? fmt::format("integers from {} on, with commas between them", lowest)
          : fmt::format("integers in {}..{}, with commas between them", lowest, highest);
  return list<std::int64_t>(flag, value, expected, [&](std::int64_t number) {
    return number >= lowest && number <= highest;
  });
}

std::vector<double> positive_numbers(const std::string& flag, const std::string& value) {
  return list<double>(flag, value, "positive numbers, with commas between them",
                      [](double number) { return std::isfinite(number) && number > 0; });
}

std::uint64_t seed(const std::string& flag, const std::string& value) {
  const auto number = parse<std::uint64_t>(value);
  if (!number) {
    throw BadInput(fmt::format("{}: expected an integer in 0..2^64 - 1, found '{}'", flag, value));
  }
  return *number;
}

RowSelection rows(const std::string& flag, const std::string& value) {
  constexpr std::string_view kStride = "stride:";
  if (value == "all") return {};
  if (value == "last") return {.last_only = true, .stride = 1};
  if (value.starts_with(kStride)) {
    const auto stride = parse<std::int64_t>(std::string_view(value).substr(kStride.size()));
    if (stride && *stride >= 1) return {.last_only = false, .stride = *stride};
  }
  throw BadInput(
      fmt::format("{}: expected all, last or stride:k with k >= 1, found '{}'", flag, value));
}

void check_selection(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& top_n, std::int64_t positions) {
  if (positions < 2) {
    throw BadInput(
        fmt::format("the input has {} token; at least 2 are needed, since a selection of "
                    "N >= 1 tokens must leave one out",
                    positions));
  }
  for (const std::int64_t length : lengths) {
    if (length < 2 || length > positions) {
      throw BadInput(
          fmt::format("--lengths: expected integers in 2..{} (the tokens of the input), "
                      "found {}",
                      positions, length));
    }
  }
  const std::int64_t shortest = lengths.empty() ? positions : *std::ranges::min_element(lengths);
  for (const std::int64_t n : top_n) {
    if (n < 1 || n >= shortest) {
      throw BadInput(fmt::format("--top-n: expected 1 <= N < L, found N = {} with L = {} tokens", n,
                                 shortest));
    }
  }
}

}  // namespace attn::gpt2::arguments
