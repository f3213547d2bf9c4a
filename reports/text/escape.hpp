#pragma once

#include <string>
#include <string_view>

namespace attn::report {

/// Text that XML 1.0 can hold, not yet escaped: bytes that are not UTF-8, control characters (C0,
/// C1) other than line ends and tabs, the noncharacters U+FFFE and U+FFFF, and what turns the
/// direction of text (U+202E and its like) become U+FFFD.
std::string xml_text(std::string_view text);

/// Text safe between tags and inside quoted attributes of HTML and SVG: `xml_text`, escaped, so
/// that the page stays well-formed whatever a report says.
std::string escape_html(std::string_view text);

/// Text safe in a cell of a Markdown table: one line, with the characters that Markdown or inline
/// HTML would read escaped.
std::string escape_markdown(std::string_view text);

/// Signs as a book prints them: "<=" -> "≤", ">=" -> "≥", "!=" -> "≠", "->" -> "→", "||" -> "‖".
std::string typeset(std::string_view statement);

}  // namespace attn::report
