#pragma once

#include <string>
#include <vector>

#include "theory/recheck/input.hpp"
#include "theory/recheck/norm.hpp"

namespace attn::recheck {

/// Of Self-Adjusted Softmax: min(z, 0) and max(z, 0), and the token that each follows; none where
/// it is 0.
struct SelfAdjustedEnds {
  Rational low, high;
  std::size_t least, largest;

  explicit SelfAdjustedEnds(const std::vector<Rational>& z);

  [[nodiscard]] Rational rho() const { return high - low; }
};

/// What a case lacks to be where the weights of Self-Adjusted Softmax are differentiable; empty
/// where nothing.
std::string self_adjusted_kink(const Input& input);

/// da_i/dz_j of Self-Adjusted Softmax.
Rows self_adjusted_jacobian(const std::vector<Rational>& z);

}  // namespace attn::recheck
