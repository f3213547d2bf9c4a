#pragma once

#include <cstdint>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// The present time as ISO 8601 in UTC: "2025-11-21T08:00:00Z".
std::string utc_now();

/// What is known when a run starts: version, commit and whether the tree had changes (both as of
/// the build), compiler, flags, the exact-arithmetic libraries, the time. `blas` names the BLAS in
/// use, empty where the stage uses none; a stage adds libraries of its own, its model, its text and
/// the seconds it took. Outside a git checkout the commit is "unknown" and counts as dirty.
Provenance collect_provenance(std::uint64_t seed, std::string effort, unsigned threads,
                              std::string blas = {});

}  // namespace attn::report
