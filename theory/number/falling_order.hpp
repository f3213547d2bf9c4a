#pragma once

#include <cstddef>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// The indices of the numbers by decreasing number, ties to the lower index.
std::vector<std::size_t> falling_order(const std::vector<Rational>& numbers);

}  // namespace attn
