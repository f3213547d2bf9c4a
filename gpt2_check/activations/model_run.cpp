#include "gpt2_check/activations/model_run.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "gpt2_check/activations/names.hpp"
#include "theory/bad_input.hpp"

namespace attn::gpt2 {
namespace {

at::Tensor widen(const at::Tensor& tensor, const std::string& name) {
  at::Tensor wide = tensor.to(at::kCPU, at::kDouble).contiguous();
  if (!at::isfinite(wide).all().item<bool>()) {
    throw BadInput(
        fmt::format("{}: the model computes numbers that are not finite; is the "
                    "checkpoint sound? --precision f64 has a wider range",
                    name));
  }
  return wide;
}

class Visitor : public LayerObserver {
 public:
  Visitor(const Config& config, const std::function<void(const LayerRows&)>& visit)
      : config_(config), visit_(visit) {}

  void on_layer(std::int64_t layer, const LayerActivations& activations) override {
    visit_({layer, temperature(config_, layer), widen(activations.q, names::q(layer)),
            widen(activations.k, names::k(layer)), widen(activations.v, names::v(layer)),
            activations.pattern.to(at::kCPU)});
  }

 private:
  const Config& config_;
  const std::function<void(const LayerRows&)>& visit_;
};

}  // namespace

ModelRun::ModelRun(Checkpoint checkpoint, std::string model_name, std::vector<std::int64_t> tokens)
    : checkpoint_(std::move(checkpoint)),
      model_name_(std::move(model_name)),
      tokens_(std::move(tokens)) {}

ActivationShape ModelRun::shape() const {
  const Config& config = checkpoint_.config;
  return {config.layers, config.heads, static_cast<std::int64_t>(tokens_.size()),
          config.head_width()};
}

void ModelRun::for_each_layer(const std::function<void(const LayerRows&)>& visit) {
  const at::Tensor ids = at::tensor(tokens_, at::kLong).to(checkpoint_.weights.wte.device());
  Visitor visitor(checkpoint_.config, visit);
  forward(checkpoint_.config, checkpoint_.weights, ids, &visitor);
}

}  // namespace attn::gpt2
