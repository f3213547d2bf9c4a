#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace attn::gpt2 {

using Activation = at::Tensor (*)(const at::Tensor& x);

/// The activation functions of Hugging Face's transformers (ACT2FN) by name, but for those with
/// weights of their own.
const std::map<std::string, Activation>& activations();

}  // namespace attn::gpt2
