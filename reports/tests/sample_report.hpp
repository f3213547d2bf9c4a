#pragma once

#include <string>
#include <string_view>

#include "reports/report.hpp"

namespace attn::report {

/// A record with the counts of a proved claim that held in `cases` cases; not of the catalogue.
ClaimRecord plain_record(std::string id, std::string_view stage, std::uint64_t cases = 10);

/// A small report that is as it should be: every claim of the catalogue decided by the real ladder
/// on one case it speaks of (for a refuted claim, its witness), as a synthetic stage; those that
/// real input must cover as a gpt2 stage too, with a real-input block of 2 layers and 3 heads.
Report sample_report();

}  // namespace attn::report
