#pragma once

#include <string>
#include <string_view>

#include "reports/document/document.hpp"

namespace attn::report {

/// A line in Markdown. Links to files of the report are relative to its folder.
std::string markdown_of(const Text& text);

/// Blocks in the Markdown of GitHub; a figure is a link to each of its files.
std::string markdown_of(const Blocks& blocks);

}  // namespace attn::report
