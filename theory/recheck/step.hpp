#pragma once

#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// Where a step takes z: (l + h)/T.
std::vector<Rational> moved(const Input& input);

/// ||u - v||.
Arb distance(const std::vector<Rational>& u, const std::vector<Rational>& v);

/// factor ||h||.
Arb step_length(const Input& input, const Rational& factor);

}  // namespace attn::recheck
