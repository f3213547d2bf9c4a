#pragma once

#include <ATen/core/Tensor.h>

#include <cmath>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// How a type rounds: to nearest, by so much of a number; and the least number above 0 that it has.
struct Rounding {
  at::ScalarType type;
  double relative, least;

  /// e^-x is 0 in the type for every x above this.
  [[nodiscard]] double vanishes_above() const { return std::log(2) - std::log(least); }
};

/// The rounding of a floating-point type of at most 64 bits.
const Rounding& rounding_of(at::ScalarType type);

/// The rounding of the coarsest type that a tensor is of or holds the values of.
const Rounding& rounding_in(const at::Tensor& tensor);

/// The rounding of the coarsest type that all heads of a tensor are of or hold the values of.
const Rounding& rounding_in(const HeadSquares& squares);

}  // namespace attn::gpt2
