#pragma once

#include <string>
#include <string_view>

namespace attn::report {

/// Prose with marked formulas ("at most $1/L$") as HTML: each formula is MathML, in pieces between
/// which a line may break, and its fractions are written a/b. "$sum_{i in I} a_i^2 <= ||x_1||$"
/// comes out as a book sets it. What is not marked is prose and stays as it is, and so does marked
/// text that spells no formula; all text is escaped.
///
/// Understood: _ and ^ before {..}, (..) or one letter or number, <= >= != ->, "not in", |..|,
/// ||..||, " . ", the prime, sqrt, sum, max and other functions, infinity, and the names of Greek
/// letters.
std::string math_html(std::string_view text);

/// The statement of a claim as HTML: the formula that it asserts, and those that follow it
/// directly, each on lines of its own with fractions built up; what leads to it and the conditions
/// as paragraphs. A formula that stands behind a colon is the one asserted, else one that begins
/// the statement; a statement without either is one paragraph.
std::string statement_html(std::string_view statement);

/// The content of a table cell: as math_html, with fractions built up.
std::string math_cell_html(std::string_view text);

}  // namespace attn::report
