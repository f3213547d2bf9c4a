#pragma once

#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// The counts of each claim over all inputs of real attention together, as a table in Markdown;
/// empty where the report has no such input.
std::string totals_table(const Report& report);

}  // namespace attn::report
