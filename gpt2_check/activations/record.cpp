#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <nlohmann/json.hpp>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/parallel/parallel.hpp"

namespace attn::gpt2 {
namespace {

using Sizes = std::vector<std::int64_t>;

std::vector<safetensors::Slot> slots(const Config& config, std::int64_t positions,
                                     at::ScalarType dtype) {
  const Sizes rows{positions, config.heads, config.head_width()};
  std::vector<safetensors::Slot> result;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    result.push_back({names::q(layer), dtype, rows});
    result.push_back({names::k(layer), dtype, rows});
    result.push_back({names::v(layer), dtype, rows});
    result.push_back({names::pattern(layer), dtype, {config.heads, positions, positions}});
    result.push_back({names::resid_post(layer), dtype, {positions, config.width}});
  }
  result.push_back({names::kLogits, dtype, {positions, config.vocabulary}});
  result.push_back({names::kTokens, at::kLong, {positions}});
  return result;
}

}  // namespace

void record(const Checkpoint& checkpoint, const std::string& model_name,
            const std::vector<std::int64_t>& tokens, const std::filesystem::path& file) {
  const Config& config = checkpoint.config;
  std::vector<double> temperatures;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    temperatures.push_back(temperature(config, layer));
  }
  const at::Tensor ids = at::tensor(tokens, at::kLong);
  safetensors::Writer writer(file, slots(config, ids.numel(), checkpoint.weights.wte.scalar_type()),
                             {{names::kModel, model_name},
                              {"model_sha256", checkpoint.sha256},
                              {"libtorch", libtorch_name()},
                              {"blas", blas_name()},
                              {names::kTemperatures, nlohmann::json(temperatures).dump()}});
  const auto append = [&](std::int64_t layer, const LayerActivations& activations) {
    writer.append(names::q(layer), activations.q);
    writer.append(names::k(layer), activations.k);
    writer.append(names::v(layer), activations.v);
    writer.append(names::pattern(layer), activations.pattern);
    writer.append(names::resid_post(layer), activations.resid_post);
  };
  writer.append(names::kLogits, forward(config, checkpoint.weights, ids, append));
  writer.append(names::kTokens, ids);
  writer.commit();
}

}  // namespace attn::gpt2
