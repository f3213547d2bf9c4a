#pragma once

#include <cstddef>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn::properties {

/// Bits of the numerator and the denominator, a bit for a minus sign; 0 for 0, 1 for 1.
std::size_t bits(const Rational& value);

/// The largest multiple of 2^-fraction_bits that is no larger in size than `value`.
Rational truncated(const Rational& value, unsigned fraction_bits);

/// Plainer numbers near `value`, plainest first: 0, 1, its size, and itself with few fraction bits.
/// None equals `value`; with `positive`, all are above 0.
std::vector<Rational> plainer(const Rational& value, bool positive);

/// The integers, without a common factor, of which `weights` are the shares.
std::vector<Integer> parts_of(const std::vector<Rational>& weights);

/// Each part over the sum of the parts, which must not be 0.
std::vector<Rational> shares_of(const std::vector<Integer>& parts);

}  // namespace attn::properties
