#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "theory/number/rationals.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

/// x^n. n >= 1.
template <class W>
W power_of(const W& x, std::size_t n) {
  if (n == 1) return x;
  const W half = power_of(x, n / 2);
  return n % 2 == 0 ? W(half * half) : W(half * half * x);
}

/// x^(1/n) of x > 0. n >= 1.
template <class S>
S root_of(const S& x, std::size_t n) {
  using std::exp;
  if (n == 1) return x;
  if (n % 2 == 0) return root_of(S(sqrt_nonnegative(x)), n / 2);
  return exp(S(log_positive(x) / from_count<S>(n)));
}

/// ||v||_p = (sum_i |v_i|^p)^(1/p) of v that is not 0. p >= 1. The powers are of v over its largest
/// entry, so that none is too large or too small; where that may be 0 it bounds the norm. [L]
template <class S>
S power_norm(const std::vector<S>& v, std::size_t p) {
  S most(0.0);
  for (const S& x : v) most = max(most, S(abs(x)));
  using Traits = ScalarTraits<S>;
  if (!certainly_positive(most)) {
    return Traits::enclose(Traits::lower(S(0.0)), Traits::upper(S(from_count<S>(v.size()) * most)));
  }
  S sum(0.0);
  for (const S& x : v) sum += power_of(S(abs(x) / most), p);
  return most * root_of(sum, p);
}

/// ||v||_p of exact numbers that are not all 0. [L]
template <class S>
S power_norm(const std::vector<Rational>& v, std::size_t p) {
  const Rational most = largest_absolute(v);
  S sum(0.0);
  for (const Rational& x : v) sum += power_of(from<S>(Rational(abs(x) / most)), p);
  return from<S>(most) * root_of(sum, p);
}

}  // namespace attn
