#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "theory/number/exact/polynomial.hpp"

namespace attn::symbolic {

// Which polynomials are certainly no squares, at the cost of a few operations a term. A map that
// keeps sums and products, from the polynomials to the integers modulo a prime, takes squares to
// squares; and whether a number is one of these is known.

/// False where f, which is not zero and has the leading exponent 0, is certainly no square of a
/// polynomial.
bool may_be_square(const Polynomial& f);

/// A number for each, the same for two of which the product may be a square: where they differ it
/// is certainly none. Of polynomials as above.
std::vector<std::uint64_t> square_signatures(std::span<const Polynomial* const> polynomials);

}  // namespace attn::symbolic
