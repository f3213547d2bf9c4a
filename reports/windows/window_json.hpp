#pragma once

#include <cstddef>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// A result on one line, and back, to the last bit. Throws BadInput for a text that is none.
std::string text_of(const WindowResult& result);
WindowResult window_from(const std::string& text);

/// One of the windows that stay in a file, which is not read beyond it. Throws BadInput where it is
/// none.
WindowResult read_window(const KeptWindows& windows, std::size_t index);

}  // namespace attn::report
