#pragma once

#include "reports/record/record_json.hpp"
#include "reports/record/report.hpp"

/// What a report that is read must bear out of itself.
namespace attn::report {

/// Gives sides without enclosures themselves as enclosures.
void enclose(CaseRecord& record);

/// Throws BadInput, naming the field, where a field of the report is not what its other fields say
/// that it must be. `in`: what the report was read from.
void check(const Report& report, const Reader& in);

}  // namespace attn::report
