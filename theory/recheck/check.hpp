#pragma once

#include <span>
#include <string>
#include <string_view>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// Both sides of a claim `lhs <= rhs`, at the working precision.
struct Sides {
  Arb lhs, rhs;
};

/// How one claim is rechecked.
struct Check {
  Sides (*sides)(const Input&);
  /// Names the assumption that the case does not meet, decided exactly; empty where all are met.
  /// Null where the claim has none.
  std::string (*unmet)(const Input&) = nullptr;
};

struct ClaimCheck {
  std::string_view id;  ///< of the claim
  Check check;
};

/// Those of all claims that theory/claims/list.cmake names.
std::span<const ClaimCheck> listed_checks();

}  // namespace attn::recheck
