#pragma once

#include "reports/record/case_input.hpp"
#include "theory/attention/case.hpp"

namespace attn::report {

/// A case as a record keeps it, with each list of more than a hundred numbers apart.
CaseInput input_of(const Case& input);

}  // namespace attn::report
