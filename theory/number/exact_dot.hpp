#pragma once

#include <span>

#include "theory/number/rational.hpp"

namespace attn {

/// sum_k a_k b_k, exactly. The two are equally long. Throws BadInput for NaN and infinities.
Rational exact_dot(std::span<const double> a, std::span<const double> b);

}  // namespace attn
