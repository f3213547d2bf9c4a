#pragma once

#include <span>
#include <vector>

#include "properties/search/run.hpp"
#include "theory/units/result_journal.hpp"
#include "theory/units/team.hpp"

namespace attn::properties::test {

/// search_all in this process alone, with the threads of the run.
inline std::vector<SearchResult> search_alone(std::span<const Claim> claims, const Run& run) {
  units::Alone alone;
  units::Team team(alone, run.threads, {});
  units::ResultJournal none;
  return search_all(claims, run, team, none, [](const Schedule&) {});
}

}  // namespace attn::properties::test
