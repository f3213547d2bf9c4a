#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "theory/base/bad_input.hpp"

namespace attn {

/// A word and what it stands for. A table of them spells an enumeration.
template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

/// Whether the value has a name in its enum. The compiler writes `value = attn::Stage::gpt2` of one
/// that has, and `value = (attn::Stage)3` of one that has none.
template <auto value>
constexpr bool is_enumerator() {
  constexpr std::string_view kSaid = __PRETTY_FUNCTION__, kBefore = "value = ";
  return kSaid.at(kSaid.find(kBefore) + kBefore.size()) != '(';
}

/// Whether `last` is the last of an enum whose values count from 0.
template <auto last>
constexpr bool is_last() {
  return is_enumerator<last>() &&
         !is_enumerator<static_cast<decltype(last)>(static_cast<std::size_t>(last) + 1)>();
}

/// Whether a table has a word for each value of its enum, in their order.
template <const auto& table>
constexpr bool has_word_for_each() {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    if (static_cast<std::size_t>(table[i].value) != i) return false;
  }
  return is_last<table[std::size(table) - 1].value>();
}

/// "{quick,standard,thorough}".
template <class Value, std::size_t N>
std::string listed(const Word<Value> (&words)[N]) {
  std::string list;
  for (const Word<Value>& known : words) list.append(list.empty() ? "{" : ",").append(known.word);
  return list + "}";
}

/// The value that `word` stands for; none for a word that is not in the table.
template <class Value, std::size_t N>
std::optional<Value> known_word(const Word<Value> (&words)[N], std::string_view word) {
  for (const Word<Value>& known : words) {
    if (known.word == word) return known.value;
  }
  return std::nullopt;
}

/// The value that `word` stands for. Throws BadInput, listing the words of the table, for a word
/// that is not in it.
template <class Value, std::size_t N>
Value from_word(const Word<Value> (&words)[N], std::string_view word) {
  if (const auto value = known_word(words, word)) return *value;
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .expected = "one of " + listed(words),
                  .found = in_quotes(word)});
}

/// The word for `value`, which the table must have.
template <class Value, std::size_t N>
constexpr std::string_view to_word(const Word<Value> (&words)[N], const Value& value) {
  for (const Word<Value>& known : words) {
    if (known.value == value) return known.word;
  }
  throw std::logic_error("a value without a word");
}

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

/// The complaint about an id that the list of claims called `name` does not have: with all of the
/// known ones where there are few, else the nearest, by edit distance.
BadInput no_claim(std::string_view id, std::string_view name, std::vector<std::string_view> known);

}  // namespace attn
