#pragma once

#include <type_traits>
#include <vector>

#include "theory/number/scalar.hpp"

namespace attn {

// The same in exact rationals, where no rounding may hide a zero, and in the scalars of the ladder.

/// x^2.
template <class W>
W squared(const W& x) {
  if constexpr (std::is_same_v<W, Rational>) {
    return x * x;
  } else {
    return square(x);
  }
}

/// max(x, y).
template <class W>
W larger(const W& x, const W& y) {
  if constexpr (std::is_same_v<W, Rational>) {
    return x < y ? y : x;
  } else {
    return max(x, y);
  }
}

/// ||u||^2 = sum_k u_k^2. u: [d], d >= 0.
template <class W>
W squared_norm(const std::vector<W>& u) {
  W sum(0);
  for (const W& value : u) sum += squared(value);
  return sum;
}

}  // namespace attn
