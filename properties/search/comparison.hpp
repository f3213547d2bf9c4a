#pragma once

#include <cstdint>

#include "properties/property.hpp"
#include "reports/record/report.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

/// How the bound of one claim relates to that of another on one case.
enum class Relation { tighter, as_tight, looser, unknown };

/// Compares the bounds of two claims that share their other side. A lower bound is tighter where it
/// is certainly larger, an upper bound where it is certainly smaller: by the double filter, else by
/// intervals of 50 and 200 digits. As tight only where both are known to be attained, or both sides
/// agree to 190 digits. Throws std::logic_error where the two do not share a side.
Relation compare(const Claim& sharp, const Claim& printed, const CaseContext& problem);

/// Both claims on the same `cases` cases, drawn for the sharp claim.
/// Cases that either leaves undecided, or that lack a ratio lhs/rhs, are not counted. An
/// expectation that is drawn is drawn for both together.
report::ComparisonRecord compare_on_drawn(const Claim& sharp, const Claim& printed,
                                          std::uint64_t seed, std::size_t cases);

}  // namespace attn::properties
