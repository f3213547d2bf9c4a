#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// [query, head, d of v], float64: the outputs hook_z of a layer that has values, also where the
/// file has heads side by side, [query, head d]; undefined where its tensor has other sizes, or is
/// of no floating-point type. `recorded`: the layer's sizes in the file.
at::Tensor read_outputs(const safetensors::File& file, const LayerShape& recorded);

/// Refuses a layer whose weights times its values, hook_v, are not `outputs` [query, head, d of v],
/// as first_off has it, with the first place and what would make them. `queries` [query]: the
/// numbers of these queries in the file, or undefined where all are read. A sentence where nothing
/// else makes the outputs, and the rounding of products in fewer bits than those of the recorded
/// types may.
std::optional<std::string> compare_outputs(const safetensors::File& file, const LayerRows& rows,
                                           const at::Tensor& outputs, const at::Tensor& queries);

}  // namespace attn::gpt2
