#pragma once

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// a b^T for a [m, k] and b [n, k], by BLAS.
Rows times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b);

}  // namespace attn::gpt2
