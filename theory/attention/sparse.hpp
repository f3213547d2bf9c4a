#pragma once

#include <cstddef>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// The tokens that get weight from sparsemax or 1.5-entmax, decided exactly.
struct Support {
  std::vector<std::size_t> tokens;  ///< by decreasing z, ties to the lower index; not empty
  Rational mean;                    ///< the mean of z (sparsemax) or z/2 (entmax) over these tokens
  Rational rise;                    ///< mean - tau (sparsemax), or its square (entmax); > 0
};

/// Sparsemax (Martins and Astudillo 2016): weights max(z_i - tau, 0) with sum 1. z has L >= 1.
Support sparsemax_support(const std::vector<Rational>& z);

/// 1.5-entmax (Peters, Niculae and Martins 2019): weights max(z_i/2 - tau, 0)^2 with sum 1.
Support entmax_support(const std::vector<Rational>& z);

/// The weights of sparsemax, which are rational. [L]
std::vector<Rational> sparsemax(const std::vector<Rational>& z);

}  // namespace attn
