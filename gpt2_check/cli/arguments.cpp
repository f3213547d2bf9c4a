#include "gpt2_check/cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "theory/base/bad_input.hpp"
#include "theory/base/number_from.hpp"
#include "theory/base/one_line.hpp"

namespace attn::gpt2::arguments {
namespace {

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
std::vector<Number> list(const std::string& value, const std::string& expected,
                         const IsValid& is_valid) {
  std::vector<Number> numbers;
  for (const std::string_view part : split(value)) {
    const auto number = number_from<Number>(part);
    if (!number || !is_valid(*number)) {
      throw BadInput({.kind = number ? BadInputKind::out_of_range : BadInputKind::malformed,
                      .expected = expected,
                      .found = in_quotes(part)});
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<std::int64_t> integers(const std::string& value, std::int64_t lowest) {
  return list<std::int64_t>(value,
                            fmt::format("integers from {} on, with commas between them", lowest),
                            [lowest](std::int64_t number) { return number >= lowest; });
}

std::vector<double> positive_numbers(const std::string& value) {
  return list<double>(value, "positive numbers, with commas between them",
                      [](double number) { return std::isfinite(number) && number > 0; });
}

RowSelection rows(const std::string& value) {
  constexpr std::string_view kStride = "stride:";
  if (value == "all") return {};
  if (value == "last") return {.last_only = true, .stride = 1};
  if (value.starts_with(kStride)) {
    const auto stride = number_from<std::int64_t>(std::string_view(value).substr(kStride.size()));
    if (stride && *stride >= 1) return {.last_only = false, .stride = *stride};
  }
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = "all, last or stride:k with k >= 1",
                  .found = in_quotes(value)});
}

std::uint64_t windows(const std::string& value) {
  if (value == "all") return kAllWindows;
  const auto count = number_from<std::uint64_t>(value);
  if (count && *count >= 1) return *count;
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = "all, or a number of windows from 1 on",
                  .found = in_quotes(value)});
}

void check_selection(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& top_n, const ActivationShape& shape) {
  const std::int64_t positions = shape.positions;
  if (positions < 2) {
    throw BadInput(
        {.kind = BadInputKind::out_of_range,
         .where = "the input",
         .expected = "at least 2 tokens",
         .found = fmt::format("{}", positions),
         .advice = "give a longer one: a selection of N >= 1 tokens must leave one out"});
  }
  const std::int64_t longest = shape.longest_row();
  for (const std::int64_t length : lengths) {
    if (length < 2 || length > longest || !shape.has_length(length)) {
      throw BadInput({.kind = BadInputKind::out_of_range,
                      .where = "--lengths",
                      .expected = fmt::format("L in 2..{} so that the L-th row sees the first L "
                                              "tokens",
                                              shape.longest_length()),
                      .found = fmt::format("{}", length)});
    }
  }
  const std::int64_t shortest = lengths.empty() ? longest : *std::ranges::min_element(lengths);
  for (const std::int64_t n : top_n) {
    if (n < 1 || n >= shortest) {
      throw BadInput({.kind = BadInputKind::out_of_range,
                      .where = "--top-n",
                      .expected = "1 <= N < L",
                      .found = fmt::format("N = {} with L = {} tokens", n, shortest)});
    }
  }
}

}  // namespace attn::gpt2::arguments
