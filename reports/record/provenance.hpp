#pragma once

#include <cstdint>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// The present time as ISO 8601 in UTC: "2025-11-21T08:00:00Z".
std::string utc_now();

/// The processes of one run.
struct Processes {
  unsigned ranks{1};
  unsigned threads{1};       ///< at most, of all ranks together
  std::string processors{};  ///< what they run on
};

/// What is known when a run starts: what build_info() tells, by whom, and the time. `blas` names
/// the BLAS in use, empty where the stage uses none; a stage adds libraries of its own, its model,
/// its text and the seconds it took.
RunInfo collect_provenance(std::uint64_t seed, Effort effort, const Processes& processes,
                           std::string blas = {});

}  // namespace attn::report
