#pragma once

#include <string>

#include "reports/report.hpp"

namespace attn::report {

/// index.html: one self-contained page without scripts or anything fetched, for light and dark
/// screens, phones and paper. Throws BadInput where the real-input block is not as a stage writes
/// it.
std::string html_page(const Report& report);

}  // namespace attn::report
