#pragma once

#include <vector>

#include "theory/recheck/ball.hpp"

namespace attn::recheck {

/// A matrix by rows. [n][m]
using Rows = std::vector<std::vector<Arb>>;

/// ||m||, the largest singular value, for up to 256 columns. Throws BadInput beyond.
Arb spectral_norm(const Rows& m);

/// ||diag(a) - a a^T|| for weights in decreasing order whose sum is 1. [L], L >= 1
Arb softmax_norm(const std::vector<Arb>& a);

}  // namespace attn::recheck
