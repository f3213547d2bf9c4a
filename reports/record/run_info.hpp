#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/record/report.hpp"

namespace attn::report {

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

/// More shards than this are a slip of the hand.
inline constexpr unsigned kMostShards = 1000;

/// The shard of "K/N". Throws BadInput unless 1 <= K <= N <= kMostShards.
Shard shard_from(std::string_view text);

}  // namespace attn::report
