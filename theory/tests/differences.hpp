#pragma once

#include "theory/attention/case.hpp"
#include "theory/number/interval.hpp"

namespace attn::test {

/// ||da/dl|| of the case's normaliser, straight from its definition: central differences of the
/// weights in plain 50-digit arithmetic, the norm by Jacobi rotations of J^T J. Some 15 digits are
/// right where no weight is close to a kink.
Real<50> jacobian_norm_by_differences(const Case& input);

}  // namespace attn::test
