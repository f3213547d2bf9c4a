#pragma once

#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// max |value|; 0 where there are none.
Rational largest_absolute(const std::vector<Rational>& values);

/// min |value|. Needs at least one.
Rational least_absolute(const std::vector<Rational>& values);

}  // namespace attn
