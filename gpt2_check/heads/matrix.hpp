#pragma once

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// a b^T for a [m, k] and b [n, k], by BLAS.
Rows times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b);

/// The same into `c` [m, n].
void times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b,
                      Eigen::Ref<Rows> c);

/// sum_i a_i x_i of the rows x_i of `x`, by BLAS.
void weighted_sum(const double* a, const Eigen::Ref<const Rows>& x,
                  Eigen::Ref<Eigen::RowVectorXd> sum);

}  // namespace attn::gpt2
