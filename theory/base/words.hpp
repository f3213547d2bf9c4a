#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"

namespace attn {

/// A word of a command line and what it stands for. A table of them spells an enumeration.
template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

/// "{quick,standard,thorough}".
template <class Value, std::size_t N>
std::string listed(const Word<Value> (&words)[N]) {
  std::string list;
  for (const Word<Value>& known : words) list.append(list.empty() ? "{" : ",").append(known.word);
  return list + "}";
}

/// The value that `word` stands for. Throws BadInput for a word that is not in the table.
template <class Value, std::size_t N>
Value from_word(const Word<Value> (&words)[N], std::string_view word) {
  for (const Word<Value>& known : words) {
    if (known.word == word) return known.value;
  }
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .expected = "one of " + listed(words),
                  .found = in_quotes(word)});
}

/// The word for `value`, which the table must have.
template <class Value, std::size_t N>
std::string_view to_word(const Word<Value> (&words)[N], const Value& value) {
  for (const Word<Value>& known : words) {
    if (known.value == value) return known.word;
  }
  throw std::logic_error("a value without a word");
}

}  // namespace attn
