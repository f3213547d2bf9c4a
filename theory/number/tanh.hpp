#pragma once

#include "theory/number/scalar.hpp"

namespace attn {

/// tanh(x) for x >= 0, with all digits of a small x.
template <class S>
S tanh_nonnegative(const S& x) {
  const S decay = expm1(S(S(-2.0) * x));
  return -decay / S(S(2.0) + decay);
}

}  // namespace attn
