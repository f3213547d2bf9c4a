#pragma once

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"

namespace attn::gpt2 {

/// The activations of a GPT-2 checkpoint on one sequence of token ids, computed anew by every
/// `for_each_layer` in the dtype and on the device of its weights.
class ModelRun : public ActivationSource {
 public:
  /// `tokens` are ids that the model can read: 1 to n_positions of them, each below vocab_size.
  ModelRun(LayerwiseCheckpoint checkpoint, std::string model_name,
           std::vector<std::int64_t> tokens);

  [[nodiscard]] ActivationShape shape() const override;
  [[nodiscard]] std::string model_name() const override { return model_name_; }
  [[nodiscard]] std::string sha256() const override { return checkpoint_.sha256; }
  [[nodiscard]] const std::vector<std::int64_t>& tokens() const override { return tokens_; }
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override;

 private:
  LayerwiseCheckpoint checkpoint_;
  std::string model_name_;
  std::vector<std::int64_t> tokens_;
};

}  // namespace attn::gpt2
