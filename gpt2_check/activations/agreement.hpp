#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <optional>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// How a recorded pattern compares with softmax(l/T).
struct Agreement {
  double largest{};         ///< the largest difference of a weight
  bool is_explained{true};  ///< whether the rounding of the recorded types explains each
  double most_shift{};      ///< how far rounding may move ln of a small weight, at most
  std::int64_t rows_off{};  ///< rows of heads with a weight that it does not explain
  /// The head and query of the first of these rows.
  std::array<std::int64_t, 2> first_off{};
};

/// Compares the pattern of a layer with softmax(l/T) under its mask, in double, over the rows that
/// see a key. The layer has a pattern beside q and k, or beside scores.
///
/// A difference is explained where it lies between what these make at most and at least: each logit
/// is off by u |l| + 2^-22 |l|, and of q and k, where 1/T is no power of two and the products are
/// rounded twice, by another u |l|, and by d 2^-24 ||q|| ||k||/T; the weight by 3 u of itself, and
/// by 2^-24 of itself for each key of the sum. u is the rounding of the coarsest type that the
/// tensors are of or hold the values of: 2^-8 of bfloat16, 2^-11 of float16, 2^-24 of float32; of
/// float64 it is 2^-53, which stands for 2^-24 too. To first order the shift of the logits makes p
/// (1 - p) 2 u max|l| of a weight p. Of a key that is hidden a weight of at most 2^-53 counts as 0:
/// a mask that is added leaves so much.
Agreement agreement(const LayerRows& rows);

/// What ln of the weights of a pattern grows by where a logit grows by 1, 1/T where it is
/// softmax(l/T): by least squares over the weights of a head that are above 0, each as much as it
/// weighs, each row by itself. The median of the heads; nothing where they differ by more than a
/// tenth of that, or it is not above 0.
std::optional<double> slope_of_pattern(const LayerRows& rows);

/// The T, other than the layer's own, at which softmax(l/T) is the pattern but for rounding, as
/// `agreement` has it: near 1/slope, one whose square or its inverse is whole before others.
/// Nothing where there is none.
std::optional<double> fitting_temperature(LayerRows rows, double slope);

}  // namespace attn::gpt2
