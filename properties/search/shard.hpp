#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "properties/search/run.hpp"
#include "reports/record/report.hpp"
#include "reports/record/run_info.hpp"
#include "theory/units/result_journal.hpp"
#include "theory/units/team.hpp"

namespace attn::properties {

// A search cut into shards that different machines run, by its units of work, so that the cases of
// one claim are shared too. What ends the search of a claim needs the cases of all: it is done
// where the shards are joined.

using report::kMostShards;
using report::shard_from;

/// The units of a shard: every `count`-th of those that wait for no other, from the `index`-th on.
/// Each falls to one shard; to some shards none does where there are more of them than units.
std::vector<units::Unit> units_of(const report::Shard& shard, std::span<const Claim> claims,
                                  const Run& run);

/// Computes the units of a shard, on rank 0 of the team. `progress` is told how many are done.
/// Throws std::runtime_error where one fails, and what Team::lead throws.
std::vector<report::PartRecord> compute_shard(const std::vector<units::Unit>& units,
                                              std::span<const Claim> claims, const Run& run,
                                              units::Team& team, units::ResultJournal& parts,
                                              const std::function<void(std::size_t)>& progress);

/// What the search of all claims of the run's catalogue came to, whose units these are, but for its
/// ends, which are computed here. Throws BadInput where a unit is missing.
std::vector<SearchResult> join_shards(
    const std::vector<report::PartRecord>& parts, const Run& run,
    const Progress& progress = [](const Schedule&) {});

/// Puts the records of the whole search of the paper's claims in the place of the shards' units in
/// `joined`. Throws BadInput where this is another build than theirs, or a unit is missing, and
/// std::runtime_error where a claim's search fails.
void end_shards(
    report::Report& joined, const Progress& progress = [](const Schedule&) {});

}  // namespace attn::properties
