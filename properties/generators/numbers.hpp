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

/// Makes `weights` the shares of the parts in their sum; false, and no change, where all parts are
/// 0, or one is negative.
bool set_shares(std::vector<Rational>& weights, const std::vector<Integer>& parts);

// Doubly stochastic matrices: positive, every row and every column of sum 1. [n][n]

using Plan = std::vector<std::vector<Rational>>;

/// All entries 1/n.
Plan flat_plan(std::size_t n);

/// The plan without row and column i: p_ab + p_ai p_ib / (1 - p_ii), the chain that skips token i.
/// Doubly stochastic again. Needs n >= 2.
Plan without_token(const Plan& plan, std::size_t i);

}  // namespace attn::properties
