#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attn::gpt2 {

/// How a type rounds: to nearest, by so much of a number; and the least number above 0 that it has.
struct Rounding {
  at::ScalarType type;
  double relative, least;

  /// e^-x is 0 in the type for every x above this.
  [[nodiscard]] double vanishes_above() const { return std::log(2) - std::log(least); }
};

/// The roundings of the floating-point types, from the coarsest on.
inline constexpr Rounding kRoundings[] = {{at::kBFloat16, 0x1p-8, 0x1p-133},
                                          {at::kHalf, 0x1p-11, 0x1p-24},
                                          {at::kFloat, 0x1p-24, 0x1p-149},
                                          {at::kDouble, 0x1p-53, 0x1p-1074}};

/// The rounding of a floating-point type, which kRoundings must have.
inline const Rounding& rounding_of(at::ScalarType type) {
  return *std::ranges::find(kRoundings, type, &Rounding::type);
}

}  // namespace attn::gpt2
