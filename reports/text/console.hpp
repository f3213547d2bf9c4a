#pragma once

#include <cstdio>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// Whether `stream` is a terminal that wants colour: TERM is not "dumb", and NO_COLOR is not set or
/// empty (https://no-color.org).
bool wants_colour(std::FILE* stream);

/// The verdict table for a terminal, at most 100 columns wide; under that of the search one line on
/// mutants, input classes and sampled cases. Then the failures, at most 20 of them. Its last line
/// says what to do next: where the report is (`report_path`, where not empty), or how to replay the
/// first failure.
std::string console_table(const Report& report, bool colour, const std::string& report_path = {});

}  // namespace attn::report
