#pragma once

#include <string>
#include <vector>

#include "theory/recheck/check.hpp"

namespace attn::recheck {

/// A claim speaks of its own normaliser: a case that names one must name that.
void require_normalizer(const Input& input, const std::string& name);

/// 1/(2T).
Arb half_over(const Rational& t);

/// Both sides of ||J|| <= 1/(2T) for F(z)/sum F(z).
Sides quotient_sides(const Input& input, const std::string& name);

/// The roots u_i of the weights of 1.5-entmax, and ||J||: J = (diag u - u u^T/U)/T with U = sum u,
/// that is U/T times diag b - b b^T with b = u/U.
struct Entmax {
  std::vector<Arb> u;  ///< those that are not zero, in decreasing order
  Arb sum;             ///< U
  Arb norm;

  explicit Entmax(const Input& input);
};

}  // namespace attn::recheck
