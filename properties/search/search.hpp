#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/effort.hpp"
#include "reports/report.hpp"

namespace attn::properties {

/// How one claim is searched.
struct Search {
  std::uint64_t seed;  ///< of this claim: see property_seed
  std::size_t cases;   ///< over all families
  ShrinkBudget shrink;
};

/// What the search of one claim came to.
struct SearchResult {
  report::ClaimRecord record;
  std::string shrinking;  ///< how the violation was shrunk; empty where there was none
  std::string failure;    ///< why there is no verdict (an error of ours); empty as a rule
};

/// Draws the cases of `property`, family by family, decides each and fills the record. The smallest
/// violation drawn is shrunk and certified by at least 100 digits; it becomes `smallest_witness`.
/// The search goes on after a violation, so that counts and max_ratio are complete. A verdict that
/// does not come out again when the case is decided anew is a failure ("flaky").
SearchResult search(const Claim& claim, const Property& property, const Search& plan);

/// One run over several claims.
struct Run {
  std::uint64_t seed;  ///< of the run
  Effort effort;
  unsigned threads;  ///< >= 1; results do not depend on it
};

/// Searches each claim with its declared property. Results are in the order of `claims`. `finished`
/// is called after each, from any thread but never from two at once.
std::vector<SearchResult> search_all(
    std::span<const Claim> claims, const Run& run,
    const std::function<void(const SearchResult&)>& finished = [](const SearchResult&) {});

/// The command that searches this claim again with the same cases.
std::string replay_command(std::string_view claim_id, const Run& run);

}  // namespace attn::properties
