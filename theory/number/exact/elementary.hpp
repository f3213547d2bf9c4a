#pragma once

#include "theory/number/exact/root_sum.hpp"

namespace attn::symbolic {

// The functions that bring new generators with them (see tables.hpp). Both throw BeyondExact where
// the result is no RootSum.

/// e^x of a sum of roots of rationals and of rational multiples of logarithms.
RootSum exponential(const RootSum& x);

/// log(x), x > 0 a fraction: the sum of those of its factors, and of the primes of its rational
/// factor as far as these are small, so that equal sums of logarithms nearly always look equal.
/// They are certainly equal where they do; no theorem says that others differ.
RootSum logarithm(const RootSum& x);

}  // namespace attn::symbolic
