#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "theory/number/exact.hpp"
#include "theory/number/power.hpp"
#include "theory/number/rationals.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

/// x^(1/n) of x > 0. n >= 1.
template <class S>
S root_of(const S& x, std::size_t n) {
  using std::exp;
  if (n == 1) return x;
  if (n % 2 == 0) return root_of(S(sqrt_nonnegative(x)), n / 2);
  return exp(S(log_positive(x) / from_count<S>(n)));
}

/// sum_i |v_i/scale|^p. [L]
template <class S>
S sum_of_powers(const std::vector<S>& v, const S& scale, std::size_t p) {
  S sum(0.0);
  for (const S& x : v) sum += power_of(S(abs(x) / scale), p);
  return sum;
}

/// ||v||_p = (sum_i |v_i|^p)^(1/p) of v that is not 0. p >= 1. The powers are of v over its largest
/// entry, so that none is too large or too small; where that may be 0 it bounds the norm. No exact
/// number is too large, and the fewer terms it has, the sooner it is compared. [L]
template <class S>
S power_norm(const std::vector<S>& v, std::size_t p) {
  if constexpr (std::is_same_v<S, Exact>) return root_of(sum_of_powers(v, S(1), p), p);
  S most(0.0);
  for (const S& x : v) most = max(most, S(abs(x)));
  using Traits = ScalarTraits<S>;
  if (!certainly_positive(most)) {
    return Traits::enclose(Traits::lower(S(0.0)), Traits::upper(S(from_count<S>(v.size()) * most)));
  }
  return most * root_of(sum_of_powers(v, most, p), p);
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
