#pragma once

#include <optional>

#include "gpt2_check/activations/evidence.hpp"

namespace attn::gpt2 {

/// No logarithm of a weight is greater, but for rounding.
inline constexpr double kMostLogarithm = 0x1p-20;

/// By how much of them the numbers of a layer that are seen may be rounded, of the coarsest type
/// that holds them all.
double rounding_of_seen(const LayerNumbers& layer);

/// The number c, other than 1/T, for which the sum of e^(c x) over the scores x that a row sees is
/// 1 in every row, but for rounding: the scores are logarithms of weights to the base e^c. Nothing
/// where there is none, or where chance may make it. The scores that are seen are finite, and none
/// is above kMostLogarithm. `is_causal`: whether no key after a query's own is seen, though nothing
/// hides these.
std::optional<double> exponent_of_weights(const LayerNumbers& scores, bool is_causal);

/// The exponent, one that is usual, c, and the sum of e^(c x) over the scores x that a row sees,
/// where that is the same in every row, but for rounding: of decibels, or logarithms to the base 10
/// or 2, less one number. Nothing where chance may make it. The scores that are seen are finite.
/// `is_causal`: whether no key after a query's own is seen, though nothing hides these.
std::optional<BaseOfWeights> common_base(const LayerNumbers& scores, bool is_causal);

}  // namespace attn::gpt2
