#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

using Sizes = std::vector<std::int64_t>;

/// The layers that attention tensors of a recording name, ascending, one at least. Throws BadInput.
std::vector<std::int64_t> layers_of(const safetensors::File& file);

/// The sizes of a recorded tensor, without a batch of one before three others. Throws BadInput for
/// a larger batch.
Sizes sizes_of(const safetensors::File& file, const std::string& name);

/// The names of the queries and of the keys of a layer: those after rotary embedding where either
/// of them is there.
std::string q_name(const safetensors::File& file, std::int64_t layer);
std::string k_name(const safetensors::File& file, std::int64_t layer);

/// What a layer of a recording has, by its own tensors alone: its number, what stands for the
/// logits, and all sizes. Scores come before queries and keys, and these before a pattern. Mask,
/// temperature and sink are not looked at, and no number is read.
///
/// Throws BadInput, naming the tensor, for one that is missing or of another type, for sizes that
/// do not go together, and for sizes that go together, or better, where the axes are taken in
/// another order; the message has the words that settle it.
LayerShape layer_shape(const safetensors::File& file, std::int64_t layer);

}  // namespace attn::gpt2
