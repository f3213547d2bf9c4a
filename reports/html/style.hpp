#pragma once

#include <string>

namespace attn::report {

/// The style sheet of every page.
const std::string& style_sheet();

}  // namespace attn::report
