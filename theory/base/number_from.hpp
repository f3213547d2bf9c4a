#pragma once

#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"

namespace attn {

/// All of `text` as a number; nothing where it is none, or is outside what `Number` holds.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end) return std::nullopt;
  return number;
}

/// All of `text` as an integer of [lowest, highest]. Throws BadInput for anything else.
template <std::integral Number>
Number whole_number(std::string_view text, Number lowest = 0,
                    Number highest = std::numeric_limits<Number>::max()) {
  const auto number = number_from<Number>(text);
  if (number && *number >= lowest && *number <= highest) return *number;
  throw BadInput(
      {.kind = number ? BadInputKind::out_of_range : BadInputKind::malformed,
       .expected = "an integer in " + std::to_string(lowest) + ".." + std::to_string(highest),
       .found = in_quotes(text)});
}

}  // namespace attn
