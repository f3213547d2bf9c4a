#include "gpt2_check/tiny/parameters.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>

#include <string>
#include <vector>

#include "gpt2_check/checkpoint/checkpoint.hpp"

namespace attn::tiny {
namespace {

/// The parts of a flat tensor, one for each weight, in the order of for_each_tensor.
gpt2::Weights split(const gpt2::Config& config, const at::Tensor& flat) {
  gpt2::Weights weights;
  std::int64_t start = 0;
  gpt2::for_each_tensor(
      config, weights,
      [&](const std::string&, at::Tensor& weight, const std::vector<std::int64_t>& shape) {
        std::int64_t size = 1;
        for (const std::int64_t extent : shape) size *= extent;
        weight = flat.narrow(0, start, size).view(shape);
        start += size;
      });
  return weights;
}

}  // namespace

Parameters::Parameters(const gpt2::Config& config, std::uint64_t seed) : config_(config) {
  gpt2::Weights initial = gpt2::random_weights(config, seed);
  std::vector<at::Tensor> values, decayed;
  gpt2::for_each_tensor(
      config, initial,
      [&](const std::string&, const at::Tensor& weight, const std::vector<std::int64_t>& shape) {
        values.push_back(weight.flatten());
        decayed.push_back(at::full_like(values.back(), shape.size() > 1 ? 1 : 0));
      });
  flat_ = at::cat(values);
  decayed_ = at::cat(decayed);
}

gpt2::Weights Parameters::weights() const {
  return split(config_, flat_);
}

gpt2::Weights Parameters::leaves(const at::Tensor& gradient) const {
  gpt2::Weights leaves = split(config_, flat_);
  gpt2::Weights gradients = split(config_, gradient);
  std::vector<at::Tensor> parts;
  gpt2::for_each_tensor(config_, gradients,
                        [&](const std::string&, const at::Tensor& part,
                            const std::vector<std::int64_t>&) { parts.push_back(part); });
  auto part = parts.begin();
  gpt2::for_each_tensor(
      config_, leaves, [&](const std::string&, at::Tensor& leaf, const std::vector<std::int64_t>&) {
        leaf = leaf.detach().requires_grad_(true);
        leaf.mutable_grad() = *part++;
      });
  return leaves;
}

}  // namespace attn::tiny
