#pragma once

#include <vector>

#include "theory/recheck/ball.hpp"

namespace attn::recheck {

/// A matrix by rows. [n][m]
using Rows = std::vector<std::vector<Arb>>;

/// Temple's inequality: an upper bound of the largest eigenvalue of a symmetric matrix G. For a
/// vector v, rho = v.Gv/v.v and residual = ||Gv - rho v||^2/v.v; no eigenvalue but the largest
/// exceeds nu, and nu < rho.
Arb temple(const Arb& rho, const Arb& residual, const Arb& nu);

/// ||m||, the largest singular value, for up to 256 columns. Throws BadInput beyond.
Arb spectral_norm(const Rows& m);

/// ||diag(a) - a a^T|| for weights in decreasing order whose sum is 1. [L], L >= 1
Arb softmax_norm(const std::vector<Arb>& a);

}  // namespace attn::recheck
