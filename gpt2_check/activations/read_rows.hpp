#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// Queries, keys or values: [position, head, d], float64. Where `left_out` [position], booleans, is
/// defined, what it says is 0, whatever was recorded there. Throws BadInput for a number elsewhere
/// that is not finite.
at::Tensor read_rows(const safetensors::File& file, const std::string& name,
                     const at::Tensor& left_out);

/// The embeddings `x` [position, head, d], as they are. Throws BadInput where those of a head are
/// so small that their squares underflow, or so large that these overflow.
at::Tensor with_squares(const safetensors::File& file, const std::string& name, at::Tensor x);

}  // namespace attn::gpt2
