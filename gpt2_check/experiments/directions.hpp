#pragma once

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// How far the embeddings of a head are from Assumption 1 of Theorem 2, which has them independent
/// and uniform on a sphere of R^d. Of those that are not 0; NaN where there is none.
struct Directions {
  double length_spread{};   ///< standard deviation of the ||x_i|| over their mean; 0 on a sphere
  double mean_direction{};  ///< length of the mean of the x_i/||x_i||; about 1/sqrt(L) if uniform
  /// The largest eigenvalue of the second moments of x_i/||x_i||, which add up to 1; about 1/d if
  /// uniform, 1 on a line.
  double leading_share{};
};

Directions directions(const Head& head);

}  // namespace attn::gpt2
