#pragma once

#include <span>

#include "theory/number/rational.hpp"

namespace attn {

/// sum_k a_k b_k, exactly, of finite doubles. The two are equally long.
Rational exact_dot(std::span<const double> a, std::span<const double> b);

}  // namespace attn
