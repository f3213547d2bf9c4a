#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace attn::report::math {

enum class NodeKind {
  number,        ///< text
  letter,        ///< text: one letter in the source
  differential,  ///< text: "da"
  name,          ///< text: an upright word
  sign,          ///< text: an operator, a relation or punctuation
  nothing,       ///< a script that is not there
  row,           ///< children side by side, signs among them
  product,       ///< children multiplied
  fraction,      ///< numerator, denominator
  root,          ///< what stands under the root
  primed,        ///< base
  scripts,       ///< base, subscript, superscript; a missing one is nothing
  applied,       ///< a function with its scripts, and its argument
  large_sum,     ///< the range, or nothing, and the summand
  fence          ///< text: the opening bracket; what stands between the brackets
};

struct Node {
  NodeKind kind = NodeKind::nothing;
  std::string_view text = {};
  std::vector<Node> children = {};
};

/// A formula as a row of terms with the signs between them, its texts parts of `formula`; nothing
/// where the text spells no formula, or has more than 500 tokens.
///
/// From loose to tight: "," ";" ":", relations, "+" "-", products by juxtaposition and ".", "/"
/// between its two neighbouring factors, "_" "^" "'". A function without brackets has one factor
/// for its argument, a sum the product behind it.
std::optional<Node> parse(std::string_view formula);

}  // namespace attn::report::math
