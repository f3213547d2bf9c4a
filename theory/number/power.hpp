#pragma once

#include <cstddef>

namespace attn {

/// x^n. n >= 1.
template <class W>
W power_of(const W& x, std::size_t n) {
  if (n == 1) return x;
  const W half = power_of(x, n / 2);
  return n % 2 == 0 ? W(half * half) : W(half * half * x);
}

}  // namespace attn
