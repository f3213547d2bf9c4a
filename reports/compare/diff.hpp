#pragma once

#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// What changed from one report to another, whether or not they are of the same run: who wants to
/// refuse those that are not asks check_comparable first. Plain text of at most 100 columns, words
/// longer than a line apart: first in what the runs and builds differ, then a line or two for each
/// record and each comparison whose outcome, status, counts or ratios changed (the fields that have
/// a `measure` in their tables), then one line on what is unchanged. A stage that only one report
/// has is named with the runs and left out of everything else.
std::string diff_text(const Report& before, const Report& after);

}  // namespace attn::report
