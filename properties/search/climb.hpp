#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/generators/draw.hpp"
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

/// A neighbour of a case, for a hill climb: one number changed by a dyadic step, or set to a plain
/// value or to that of another entry; one vector set to another; a token dropped or doubled; N
/// changed by one. Empty where the move drawn does not apply. The neighbour may be invalid.
///
/// `depth`: a step is about 2^-depth of the number changed.
std::optional<Case> neighbour(const Case& input, Draw& draw, unsigned depth);

}  // namespace attn::properties
