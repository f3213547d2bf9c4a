#pragma once

#include <string_view>

namespace attn {

/// What mathematics says of a claim: there is a proof, or there is a witness against it.
enum class Status { proved, refuted };

/// What one case says of a claim `lhs <= rhs`. Never a bool: "not holds" has four meanings.
enum class Verdict {
  holds,               ///< certainly lhs <= rhs
  equal,               ///< the bound is attained: |lhs - rhs| < 1e-190 max(|lhs|, |rhs|)
  violated,            ///< certainly lhs > rhs
  undecided,           ///< the two sides still overlap at the precision cap
  assumption_not_met,  ///< the case is outside the claim's hypotheses
};

std::string_view to_string(Status status);
std::string_view to_string(Verdict verdict);

}  // namespace attn
