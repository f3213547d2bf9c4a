#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/effort.hpp"
#include "properties/search/regressions.hpp"
#include "reports/record/report.hpp"

namespace attn::properties {

/// How one claim is searched.
struct Search {
  std::uint64_t seed;  ///< of this claim: see property_seed
  std::size_t cases;   ///< over all families
  ShrinkBudget shrink;
  std::size_t climb{0};                   ///< cases of the hill climb of a proved claim
  std::vector<Regression> regressions{};  ///< of this claim
};

/// Decides the regressions and the catalogue's example, then draws the cases of `property`, the
/// families interleaved, decides each and fills the record, but for its mutants.
///
/// The smallest violation drawn is shrunk and certified by at least 100 digits; it becomes
/// `smallest_witness`. The search goes on after a violation, so that counts and max_ratio are
/// complete. For a refuted claim that no drawn case violates, the regressions are left out of the
/// record: a kept witness must not stand in for one that the search finds.
///
/// Throws std::runtime_error for a verdict that does not come out again when the case is decided
/// anew ("flaky"), and for a regression that comes out otherwise than it must (but a proved claim's
/// violation is a violation like any other).
report::ClaimRecord search(const Claim& claim, const Property& property, const Search& plan);

}  // namespace attn::properties
