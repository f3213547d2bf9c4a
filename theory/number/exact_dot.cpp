#include "theory/number/exact_dot.hpp"

#include <algorithm>
#include <vector>

namespace attn {
namespace {

/// Throws for NaN and infinities.
OddAndPower parts_of(double value) {
  return odd_and_power(exact(value).nearest());
}

}  // namespace

Rational exact_dot(std::span<const double> a, std::span<const double> b) {
  // One integer over a power of two: no common factors are looked for on the way.
  std::vector<OddAndPower> left, right;
  int least = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    left.push_back(parts_of(a[k]));
    right.push_back(parts_of(b[k]));
    least = std::min(least, left[k].exponent + right[k].exponent);
  }
  Integer sum = 0;
  Integer term;
  for (std::size_t k = 0; k < a.size(); ++k) {
    term = left[k].odd;
    term *= right[k].odd;
    term <<= left[k].exponent + right[k].exponent - least;
    std::signbit(a[k]) == std::signbit(b[k]) ? sum += term : sum -= term;
  }
  return {sum, Integer(1) << -least};
}

}  // namespace attn
