#pragma once

#include <Eigen/Core>
#include <functional>

namespace attn::gpt2 {

/// ||J|| for a J with n columns, n >= 1, from v -> J^T J v, by the Lanczos iteration with full
/// reorthogonalisation from a fixed start vector.
///
/// It stops where the residual of the largest Ritz value shows an eigenvalue of J^T J within 1e-12
/// of it, relative, or where the space is used up. Ritz values grow towards the largest eigenvalue.
/// 0 where J^T J underflows.
double largest_singular_value(Eigen::Index n,
                              const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& square);

}  // namespace attn::gpt2
