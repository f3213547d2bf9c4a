#pragma once

#include "theory/claims/decide.hpp"

namespace attn {

/// How the bound of one claim relates to that of another on one case.
enum class Relation { unknown, tighter, as_tight, looser };

/// Of claims that share their other side, by what was decided of them: a lower bound is tighter
/// where it is certainly larger, an upper bound where it is certainly smaller; as tight where both
/// are attained. Throws std::logic_error where the two do not share a side.
Relation relation(const Decision& sharp, const Decision& printed);

/// The same by intervals of 200 digits: as tight where both sides agree to 190 of them.
Relation close_relation(const Claim& sharp, const Claim& printed, const CaseContext& problem);

}  // namespace attn
