#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// What else would make `outputs` [query, head, d of v], float64, of a layer whose weights times
/// its values they are not: another T, another mask, queries that are the first of the keys, heads
/// of keys in another order, a softcap of the logits, or one factor of all. A sentence that says
/// what fits and what settles it; nothing where none does.
std::optional<std::string> fitting_outputs(const LayerRows& rows, const at::Tensor& outputs);

}  // namespace attn::gpt2
