#include <ATen/core/Tensor.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/tensor.h>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

at::Tensor widen(const at::Tensor& tensor, const std::string& name) {
  at::Tensor wide = tensor.to(at::kCPU, at::kDouble).contiguous();
  if (!at::isfinite(wide).all().item<bool>()) {
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .where = name,
                    .expected = "finite numbers",
                    .found = "a model that computes others",
                    .advice = "is the checkpoint sound? --precision f64 has a wider range"});
  }
  return wide;
}

class ModelRun : public ActivationSource {
 public:
  ModelRun(LayerwiseCheckpoint checkpoint, std::string model_name, std::vector<std::int64_t> tokens)
      : checkpoint_(std::move(checkpoint)),
        model_name_(std::move(model_name)),
        tokens_(std::move(tokens)) {}

  [[nodiscard]] ActivationShape shape() const override {
    const Config& config = checkpoint_.config;
    const auto tokens = static_cast<std::int64_t>(tokens_.size());
    ActivationShape shape;
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
      shape.layers.push_back({.layer = layer,
                              .heads = config.heads,
                              .queries = tokens,
                              .keys = tokens,
                              .key_heads = config.heads,
                              .width = config.head_width(),
                              .value_width = config.head_width(),
                              .temperature = temperature(config, layer)});
    }
    return shape;
  }

  [[nodiscard]] std::string model_name() const override { return model_name_; }
  [[nodiscard]] std::string sha256() const override { return checkpoint_.sha256; }

  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    const at::Tensor ids = at::tensor(tokens_, at::kLong).to(checkpoint_.weights.wte.device());
    const Config& config = checkpoint_.config;
    // Without patterns: the rows are weighed anew from q and k.
    observe_layers(config, checkpoint_.weights, ids,
                   [&](std::int64_t layer, const LayerActivations& activations) {
                     visit({.layer = layer,
                            .temperature = temperature(config, layer),
                            .q = widen(activations.q, names::q(layer)),
                            .k = widen(activations.k, names::k(layer)),
                            .v = widen(activations.v, names::v(layer))});
                   });
  }

 private:
  LayerwiseCheckpoint checkpoint_;
  std::string model_name_;
  std::vector<std::int64_t> tokens_;
};

}  // namespace

std::unique_ptr<ActivationSource> model_run(LayerwiseCheckpoint checkpoint, std::string model_name,
                                            std::vector<std::int64_t> tokens) {
  return std::make_unique<ModelRun>(std::move(checkpoint), std::move(model_name),
                                    std::move(tokens));
}

}  // namespace attn::gpt2
