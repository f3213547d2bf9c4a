#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "gpt2_check/checkpoint/checkpoint.hpp"

namespace attn::test {

inline gpt2::Config small_config() {
  return {.layers = 2, .heads = 3, .width = 12, .positions = 16, .vocabulary = 20, .inner = 20};
}

/// Every tensor random, biases and LayerNorm included, so that no two can be mistaken.
/// The same numbers, those of float32, in every type.
inline gpt2::Weights lively_weights(const gpt2::Config& config, at::ScalarType type = at::kFloat) {
  const at::Generator generator = at::detail::createCPUGenerator(1);
  gpt2::Weights weights;
  gpt2::for_each_tensor(config, weights,
                        [&](const std::string&, at::Tensor& tensor, const auto& shape) {
                          tensor = at::empty(shape).normal_(0, 0.3, generator).to(type);
                        });
  return weights;
}

/// The tensors of a model by their names in a checkpoint.
inline std::map<std::string, at::Tensor> tensor_map(const gpt2::Config& config,
                                                    gpt2::Weights weights) {
  std::map<std::string, at::Tensor> tensors;
  gpt2::for_each_tensor(
      config, weights,
      [&](const std::string& name, at::Tensor& tensor, const auto&) { tensors[name] = tensor; });
  return tensors;
}

}  // namespace attn::test
