#pragma once

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// ||J|| of Sinkhorn's fixed point, the case's plan.
Arb sinkhorn_norm(const Input& input);

}  // namespace attn::recheck
