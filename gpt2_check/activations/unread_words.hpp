#pragma once

#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// Refuses words of a recording that its owner meant and that are not read: metadata and tensors
/// whose names are other names of those that are read, unless these are there too; `zeros`:
/// `hidden` without a pattern, and a number `hidden_below` without scores. Throws BadInput with the
/// word that is read.
void expect_read(const safetensors::File& file);

}  // namespace attn::gpt2
