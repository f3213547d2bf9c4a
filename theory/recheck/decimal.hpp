#pragma once

#include "theory/recheck/ball.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn::recheck {

/// The ends of x as decimals of 50 significant digits, rounded outward: positional where that is
/// short enough to read, scientific elsewhere; "-inf" and "inf" where x is not bounded.
Ball decimals(const Arb& x);

}  // namespace attn::recheck
