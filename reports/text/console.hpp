#pragma once

#include <cstdio>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// Whether `stream` is a terminal that wants colour: TERM is not "dumb", and NO_COLOR is not set or
/// empty (https://no-color.org).
bool wants_colour(std::FILE* stream);

/// What came out, its tables at most 100 columns wide: a line for each statement of the paper, then
/// what is not as expected, at most kMostOnConsole of it. The last line says what to do next: where
/// the report is (`report_path`, where not empty), or how to run the first failure again.
std::string console_text(const Report& report, bool colour, const std::string& report_path = {});
inline constexpr std::size_t kMostOnConsole = 8;

/// A line for each claim, stage by stage and input by input; under that of the search one on
/// mutants, input classes and sampled cases. What --verbose prints before the rest.
std::string console_tables(const Report& report, bool colour);

}  // namespace attn::report
