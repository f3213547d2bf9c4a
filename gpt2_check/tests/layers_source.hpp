#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// Layers that are at hand.
class LayersSource : public ActivationSource {
 public:
  ActivationShape of;
  std::vector<LayerRows> layers;

  [[nodiscard]] ActivationShape shape() const override { return of; }
  [[nodiscard]] std::string model_name() const override { return "random"; }
  [[nodiscard]] std::string sha256() const override { return "none"; }
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    for (const LayerRows& layer : layers) visit(layer);
  }
};

}  // namespace attn::gpt2
