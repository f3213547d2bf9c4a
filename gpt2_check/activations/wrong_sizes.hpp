#pragma once

#include <optional>
#include <string>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// A tensor of three axes.
struct Tensor {
  std::string name;
  Sizes sizes;
};

/// The tensors of a layer that are read, or that tell how the others are meant.
struct Recorded {
  std::optional<Tensor> square;  ///< scores, or else a pattern
  std::optional<Tensor> q, k, v;
};

inline constexpr const char* kOfEachHead =
    "was it averaged over the heads? record that of each head (average_attn_weights=False)";

/// Refuses a pattern with a number below 0, in whatever order its axes are.
void check_signs(const safetensors::File& file, const Recorded& of);

/// Whether there are values of each query in place of each key, beside a pattern whose axes are in
/// the documented order, as the sums of its rows show.
bool are_values_of_queries(const safetensors::File& file, const Recorded& of);

/// Refuses the first of the sizes that do not go together in the documented order; there is one.
[[noreturn]] void refuse_sizes(const safetensors::File& file, const Recorded& of);

/// Refuses one square beside rows of several heads.
void check_not_averaged(const safetensors::File& file, const Recorded& of);

/// Refuses scores of several queries and one key.
void check_two_keys(const safetensors::File& file, const Recorded& of);

/// Refuses rotated queries of a layer of another width than those beside them that are not rotated.
void check_rotated_width(const safetensors::File& file, std::int64_t layer);

}  // namespace attn::gpt2
