#pragma once

#include <string>
#include <string_view>

namespace attn::report {

/// Plain-text mathematics as HTML: "sum_{i in I} a_i^2 <= ||x_1||" with its subscripts,
/// superscripts and signs set as a book sets them. Words stay as they are; all text is escaped.
///
/// Understood: _{..}, _(..), _ before one or two characters, ^{..}, ^(..), ^ before a number or one
/// letter (with its sign and subscript) or +, <=, >=, !=, ->, ||, " . ", the prime after one
/// letter, sqrt, sum_, infinity, the minus sign, the names of Greek letters, and Hoelder.
std::string math_html(std::string_view text);

}  // namespace attn::report
