#pragma once

#include <vector>

#include "theory/attention/normalizer_norms.hpp"

namespace attn {

/// J T of Sinkhorn's fixed point P (n x n, positive, rows and columns of sum 1) with respect to the
/// scores C of exp(C/T), vectorised by rows: D - D B^T (B D B^T)^+ B D, D = diag(vec P), B the row
/// and column sums. Exact; [n^2][n^2].
std::vector<std::vector<Rational>> sinkhorn_jacobian(const std::vector<std::vector<Rational>>& p);

/// ||J|| of the case's plan.
template <class S>
S sinkhorn_norm(const Problem& problem) {
  return spectral_norm(enclosed_matrix<S>(sinkhorn_jacobian(problem.plan()))) /
         from<S>(problem.temperature());
}

}  // namespace attn
