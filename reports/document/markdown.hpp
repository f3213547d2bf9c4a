#pragma once

#include <string>
#include <string_view>

#include "reports/document/document.hpp"

namespace attn::report {

/// A line in Markdown. Links to files of the report are relative to its folder.
std::string markdown_of(const Text& text);

/// Headings, paragraphs, lists and entries in the Markdown of GitHub; throws std::logic_error for a
/// block of another kind.
std::string markdown_of(const Blocks& blocks);

}  // namespace attn::report
