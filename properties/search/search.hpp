#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/drawn.hpp"
#include "properties/search/effort.hpp"
#include "properties/search/regressions.hpp"
#include "reports/record/report.hpp"

namespace attn::properties {

/// The family of violations that the hill climb met, which no stream draws.
inline constexpr std::string_view kClimbedCases = "hill_climb";

/// How the search of one claim ends.
struct Search {
  std::uint64_t seed;  ///< the seed of its cases: see cases_of
  ShrinkBudget shrink;
  std::size_t climb{0};                   ///< cases of the hill climb of a proved claim
  std::vector<Regression> regressions{};  ///< the regressions of this claim
};

/// Decides each case of a stream, which is drawn alike for all the claims: what came of each.
std::vector<Drawn> draw(std::span<const Claim> claims, const Property& property, Stream cases);

/// Ends the search that drew these cases: decides the regressions and the catalogue's example,
/// climbs, shrinks, and fills the record, but for its mutants.
///
/// The smallest violation drawn is shrunk and certified by at least 100 digits; it becomes
/// `smallest_witness`. The search goes on after a violation, so that counts and max_ratio are
/// complete. For a refuted claim that no drawn case violates, the regressions are left out of the
/// record: a kept witness must not stand in for one that the search finds.
///
/// Throws std::runtime_error for a verdict that does not come out again when the case is decided
/// anew ("flaky"), and for a regression that comes out otherwise than it must (but a proved claim's
/// violation is a violation like any other).
report::ClaimRecord finish(const Claim& claim, const Search& search, Drawn drawn);

}  // namespace attn::properties
