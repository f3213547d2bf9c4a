#pragma once

#include <cstddef>

#include "theory/number/exact/ball.hpp"
#include "theory/number/exact/polynomial.hpp"

namespace attn::symbolic {

// Enclosures and signs of polynomials.

/// The precisions at which signs are looked for, each twice the one before. Sums without logarithms
/// are known not to be zero before digits are looked for, so that enough of them tell; of the
/// others the digits are all there is.
inline constexpr unsigned kLeastBits = 128;
inline constexpr unsigned kMostBits = 1U << 18;
inline constexpr unsigned kMostBitsOfLogarithms = 1U << 14;

/// An exponential or a logarithm of so many bits, in units of work: what MPFI takes, about.
std::size_t cost_of_function(unsigned bits);

/// e^scale times a number in `about`: no exponent is too large for it.
struct Scaled {
  Exponent scale;
  Ball about;
};

/// The number whose exponential a monomial is: E of e^E.
Ball value_of(const Exponent& exponent, unsigned bits);

/// An enclosure of p, which is not zero.
Scaled enclosed(const Polynomial& p, unsigned bits);

/// The scale of the largest of some numbers, about: all others over it are no large numbers.
const Exponent& largest_scale(const std::vector<Scaled>& numbers);

/// The sum of numbers over e^scale.
Ball sum_over(const std::vector<Scaled>& numbers, const Exponent& scale, unsigned bits);

/// -1 or 1, of a polynomial that is not zero. Throws BeyondExact where that is not known.
int sign_of(const Polynomial& p);

/// -1 or 1, the sign of an entry of the table of factors, and of log |P| for an entry P of the
/// table of logarithms. Both throw BeyondExact where it is not known.
int sign_of_factor(std::size_t id);
int sign_of_logarithm(std::size_t id);

}  // namespace attn::symbolic
