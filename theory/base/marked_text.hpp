#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A part of a marked text: prose, or a formula without its marks.
struct Stretch {
  std::string_view text;
  bool is_formula;
};

/// The parts of a text that has each formula between two "$", as in "at most $1/L$". None is empty
/// but for a formula; a "$" without a partner is prose.
std::vector<Stretch> stretches(std::string_view text);

/// A marked text as one reads it aloud: without the marks.
std::string plain_text(std::string_view text);

}  // namespace attn
