#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"

namespace attn {

/// J T of Sinkhorn's fixed point P (n x n, positive, rows and columns of sum 1) with respect to the
/// scores C of exp(C/T), vectorised by rows: D - D B^T (B D B^T)^+ B D, D = diag(vec P), B the row
/// and column sums. Exact; [n^2][n^2].
std::vector<std::vector<Rational>> sinkhorn_jacobian(const std::vector<std::vector<Rational>>& p);

/// Whether ||J|| T of the plan p is exactly `norm` > 0. J T is the covariance of independent
/// coordinates of variances vec P given that all row and column sums are 0, so its inverse on the
/// matrices w of such sums is sum_ij w_ij^2 / p_ij: no w has sum w^2 > norm sum w^2/p, and some w
/// other than 0 has equality.
bool is_sinkhorn_norm(const std::vector<std::vector<Rational>>& p, const Rational& norm);

/// ||J|| of the case's plan.
template <class S>
S sinkhorn_norm(const CaseContext& context) {
  const auto exact = sinkhorn_jacobian(context.plan());
  const auto n = static_cast<Eigen::Index>(exact.size());
  const Matrix<S> jacobian = Matrix<S>::NullaryExpr(n, n, [&](Eigen::Index i, Eigen::Index j) {
    return from<S>(exact[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  });
  return spectral_norm(jacobian) / from<S>(context.temperature());
}

}  // namespace attn
