#pragma once

#include <string>
#include <string_view>

#include "reports/record/report.hpp"

namespace attn::report {

/// The exact cases of a claim that a report keeps, each once and whole: JSON as `claims eval` reads
/// it, a line for each. Throws BadInput where it keeps none.
std::string cases_text(const Report& report, std::string_view claim);

}  // namespace attn::report
