#pragma once

#include <ATen/core/Tensor.h>

#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// [query, head, d of v], float64: the outputs hook_z of a layer that has values, also where the
/// file has heads side by side, [query, head d]; undefined where its tensor has other sizes, or is
/// of no floating-point type. `recorded`: the layer's sizes in the file.
at::Tensor read_outputs(const safetensors::File& file, const LayerShape& recorded);

/// Refuses a layer whose weights times its values, hook_v, are not `outputs` [query, head, d of v]:
/// of a recorded pattern the weights as they are, else those of softmax(l/T). Rows that see no key
/// are not compared. `queries` [query]: the numbers of these queries in the file, or undefined
/// where all are read.
///
/// A difference is explained where it is at most the sum over the keys of (e + (1 + n 2^-24) u w)
/// |v|, and 2 u of the output: w is the weight, e by how much rounding may move it (Agreement has
/// it of softmax(l/T), and of a recorded one it is 3 u w), of n keys, and u the rounding of the
/// coarsest type of weights, values and outputs.
void expect_outputs(const safetensors::File& file, const LayerRows& rows, const at::Tensor& outputs,
                    const at::Tensor& queries);

}  // namespace attn::gpt2
