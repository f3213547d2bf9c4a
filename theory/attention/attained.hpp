#pragma once

#include "theory/attention/problem.hpp"

namespace attn {

// Whether the bounds on D about the selected tokens' centre c = s/A are attained, A > 0: decided
// exactly, token by token, since the triangle inequality is an equality just where vectors point
// one way. False too where that is not known: of other normalisers than softmax equal weights are
// known to be equal, and nothing else.

/// ||c|| (A (L-N) - (1-A)) - sum_{i in O} a_i ||x_i - c|| = D, where I holds the N largest weights.
bool attains_centred_lower(const Problem& problem);

/// D = ||c|| sum_{i in O} |A - a_i| + sum_{i in O} a_i ||x_i - c||.
bool attains_centred_upper(const Problem& problem);

/// |D - (L-N) ||s||| = sum_{i in O} a_i ||x_i||.
bool attains_linear(const Problem& problem);

/// ||sum_{i in O} (a_i x_i - s)|| = D. Known in one dimension, and of one token outside.
bool attains_net(const Problem& problem);

}  // namespace attn
