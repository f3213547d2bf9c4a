#pragma once

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// a b^T for a [m, k] and b [n, k], by BLAS on as many threads as `set_blas_threads` allows.
Rows times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b);

/// How many threads one product of OpenBLAS may use. Where heads run side by side it is 1.
void set_blas_threads(int threads);

}  // namespace attn::gpt2
