#pragma once

#include "theory/claims/decide.hpp"

namespace attn {

/// How the bound of one claim relates to that of another on one case.
enum class Relation { unknown, tighter, as_tight, looser };

/// How the bounds of two claims that share a side relate on one case, by what was decided of each:
/// a lower bound is tighter where it is certainly larger, an upper bound where it is certainly
/// smaller; as tight where both are attained; else unknown. Throws std::logic_error where the two
/// do not share a side.
Relation relation(const Decision& sharp, const Decision& printed);

/// How the bounds of two claims that share their other side relate where the decisions leave it
/// unknown: by intervals of 50 digits, exact arithmetic, and intervals of 100 and 200; as tight
/// where both sides are exactly equal. Throws std::logic_error where the two do not share a side.
Relation close_relation(const Claim& sharp, const Claim& printed, const CaseContext& context);

}  // namespace attn
