#pragma once

#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// A result on one line, and back, to the last bit. Throws BadInput for a text that is none.
std::string text_of(const WindowResult& result);
WindowResult window_from(const std::string& text);

}  // namespace attn::report
