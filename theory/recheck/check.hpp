#pragma once

#include "theory/recheck/ball.hpp"
#include "theory/recheck/checks.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// Both sides of a claim `lhs <= rhs`, at the working precision.
struct Sides {
  Arb lhs, rhs;
};

}  // namespace attn::recheck
