#pragma once

#include <string_view>
#include <vector>

namespace attn::report::math {

enum class TokenKind {
  space,
  number,        ///< "2", "0.98", "1,024", "3e-04", "0.707..."
  symbol,        ///< one letter with its digits, a Greek letter, or the letters of an index
  differential,  ///< "da" in "da/dl"
  name,          ///< a function or a quantity of several letters, set upright
  sign,          ///< an operator, a bracket, a mark or punctuation
  unknown        ///< a character that no formula has
};

struct Token {
  TokenKind kind;
  std::string_view text;  ///< a part of the formula that was read
};

/// The tokens of a formula. One after the other they are the formula: nothing is dropped. A word of
/// two letters or more is a name unless it names a Greek letter or stands as an index.
std::vector<Token> tokens_of(std::string_view formula);

/// The sign or letter that stands for `text` in print: "<=" -> "≤", "xi" -> "ξ"; `text` where there
/// is none.
std::string_view printed(std::string_view text);

/// Whether `name` is a function, such as "max", and no quantity, such as "std".
bool takes_argument(std::string_view name);

/// The bracket that closes `opening`; a bar closes itself.
std::string_view closing(std::string_view opening);

/// Whether `text` is "=", "<=", "->", "in" or another relation.
bool is_relation(std::string_view text);

}  // namespace attn::report::math
