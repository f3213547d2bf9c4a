#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "reports/record/report.hpp"

namespace attn::report {

/// The document of a result that another process of the run wrote, `what` in words. Throws BadInput
/// for a text that is not JSON.
nlohmann::json document_of(const std::string& text, std::string_view what);

/// A result on one line, and back, to the last bit. Throws BadInput for a text that is none.
std::string text_of(const WindowResult& result);
WindowResult window_from(const std::string& text);

/// One of the windows that stay in a file, which is not read beyond it. Throws BadInput where it is
/// none.
WindowResult read_window(const KeptWindows& windows, std::size_t index);

}  // namespace attn::report
