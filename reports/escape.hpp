#pragma once

#include <string>
#include <string_view>

namespace attn::report {

/// Text safe between tags and inside quoted attributes of HTML and SVG. Bytes that are not UTF-8
/// and control characters become U+FFFD, so that the page stays well-formed whatever a report says.
std::string escape_html(std::string_view text);

/// Text safe in a cell of a Markdown table: one line, with the characters that Markdown or inline
/// HTML would read escaped.
std::string escape_markdown(std::string_view text);

/// Inequality signs as a book prints them: "<=" -> "≤", ">=" -> "≥".
std::string typeset(std::string_view statement);

}  // namespace attn::report
