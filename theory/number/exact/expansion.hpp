#pragma once

#include <cstddef>
#include <vector>

#include "theory/number/exact/exponent.hpp"
#include "theory/number/exact/order.hpp"

namespace attn {
class Exact;
}  // namespace attn

namespace attn::symbolic {

// Numbers by their largest terms, as asymptotic expansions have them. What two sums of exponentials
// differ by, be it e^(-10^12) of their size, is one of the first terms that do not cancel: no
// number of digits shows it, and to write out both as fractions takes all of their terms.

/// factor * sqrt(n) * e^exponent, n a square class of the rationals.
struct Monomial {
  Exponent exponent;
  int square_class{0};
  Rational factor;
  double value{};  ///< at least the exponent, and about that
};

/// The largest terms of a number, falling, and a bound of what is left.
struct Expansion {
  std::vector<Monomial> terms;  ///< exact, none of them zero, no two alike
  double rest;                  ///< log |what is left| is at most this: -infinity where it is 0
};

/// x by at most so many terms. Throws BeyondExact where that takes too much work.
Expansion expansion(const Exact& x, std::size_t most_terms);

/// The order of x to y where so many terms of each show that one is less, else unknown.
Order order_by_expansions(const Exact& x, const Exact& y, std::size_t most_terms);

}  // namespace attn::symbolic
