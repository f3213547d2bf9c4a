#pragma once

#include <string>
#include <string_view>

#include "reports/document/document.hpp"

namespace attn::report {

/// A document as a page of HTML that stands alone: it fetches nothing and has no script. For light
/// and dark screens, phones and paper.
std::string page_of(const Document& document);

/// The style sheet of every page.
const std::string& style_sheet();

/// Prose with marked formulas ("at most $1/L$") as HTML. What is marked is set as a formula:
/// letters in <var>, "_" and "^" before {..}, (..) or one name or number as <sub> and <sup>, signs
/// and Greek letters by their characters ("<=" is ≤, "sum" ∑, "xi" ξ); a line may break behind a
/// relation, a sum or a comma. All other text is prose and stays as it is; all text is escaped.
std::string math_html(std::string_view text);

/// The statement of a claim as HTML: the formula that it asserts, and those that follow it
/// directly, each on lines of its own; what leads to it and the conditions as paragraphs. A formula
/// that stands behind a colon is the one asserted, else one that begins the statement; a statement
/// without either is one paragraph.
std::string statement_html(std::string_view statement);

}  // namespace attn::report
