#pragma once

#include <string>
#include <vector>

#include "reports/html/math/parser.hpp"

namespace attn::report::math {

/// inline: a/b and brackets of one height, for a line of prose; display: fractions built up, ranges
/// under their sums.
enum class Style { inline_text, display };

/// A formula as MathML, in pieces between which a line may break, each a <math> element. A short
/// formula is one piece. Lines of prose break behind a sign, displayed ones before it.
std::vector<std::string> pieces_of(const Node& formula, Style style);

/// About how many characters wide a formula is.
std::size_t width_of(const Node& node, Style style);

}  // namespace attn::report::math
