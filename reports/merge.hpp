#pragma once

#include <vector>

#include "reports/report.hpp"

namespace attn::report {

/// Joins the reports of different stages of one run. The start is the earliest, the seconds are
/// added, libraries are united. Throws BadInput, naming the field and both values, where the
/// reports are of different runs (version, commit, dirty, compiler, flags, seed, effort, a library,
/// BLAS, model or text), where two carry the same claim and stage, and where two carry a real-input
/// block. `reports` has one element or more.
Report merge(const std::vector<Report>& reports);

}  // namespace attn::report
