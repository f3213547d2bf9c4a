#pragma once

#include <ATen/core/Tensor.h>

#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/heads/mask.hpp"

namespace attn::gpt2 {

/// Refuses a hook_mask [1 or head, query, key] that shows no query its own key, but later ones,
/// unless a pattern, scores or outputs show that it is right, or the keys after a query's own and
/// perhaps its own alone, or all of these and not all before, the first key aside, which padding
/// hides.
void expect_upright(const safetensors::File& file, const LayerShape& layer, const at::Tensor& seen);

/// Refuses a hook_mask [1 or head, query, key] that shows other keys than the word of the metadata
/// `mask`, but of `padding` [query], booleans, where it is defined.
void expect_same_mask(const safetensors::File& file, const LayerShape& layer,
                      const at::Tensor& seen, const Mask& mask, const at::Tensor& padding);

}  // namespace attn::gpt2
