#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/report.hpp"
#include "theory/attention/case.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

/// Where a climb starts: a case, and how it was found.
struct Start {
  Case input;
  std::string where;
};

/// What pushing a bound towards its other side came to.
struct Climb {
  std::optional<report::TightnessRecord> record;  ///< empty where no start has a ratio lhs/rhs
  std::optional<Case> violation;                  ///< a case on the way that violates the claim
};

/// Climbs lhs/rhs of a claim from each start by small changes of the case, with `decisions` cases
/// decided in all, and certifies the best. Stops at an attained bound. Deterministic. Cases decided
/// by sampling, and those that cost too much to decide thousands of, are left out.
Climb climb(const Claim& claim, const std::vector<Start>& starts, std::size_t decisions,
            std::uint64_t seed);

}  // namespace attn::properties
