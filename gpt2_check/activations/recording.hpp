#pragma once

#include <filesystem>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// Activations that were recorded from any transformer into a safetensors file, under the names of
/// TransformerLens: `blocks.{i}.attn.hook_q|hook_k|hook_v` [position, head, d_head] in F64, F32,
/// F16 or BF16 for every layer; with rotary embeddings `hook_rot_q|hook_rot_k` in place of the
/// first two; with grouped keys fewer heads of k and v, a divisor of those of q; or
/// `hook_attn_scores` [head, query, key] in place of q and k, of which what a query does not see
/// may be masked; or `hook_pattern` [head, query, key] alone, weights of at least 0, which are
/// taken as exact numbers divided by their sum. v may be missing in every layer. And where known
/// `blocks.{i}.attn.hook_pattern` beside q and k or the scores, and `tokens` [position]. The
/// residual stream that layer i reads is `blocks.{i}.hook_resid_pre` [position, width], or for i >
/// 0 `blocks.{i-1}.hook_resid_post`. T is sqrt(d_head) for q and k and 1 for scores and weights, or
/// what the metadata `temperatures` lists. A query sees the tokens up to its own, or what the
/// metadata `mask` says: `full`, all; `window:K`, K >= 2, the last K of those.
class Recording : public ActivationSource {
 public:
  /// Checks names, dtypes and shapes of every layer before any number is read. Throws BadInput,
  /// naming the tensor, for one that is missing, of another dtype or of another shape than the
  /// rest.
  explicit Recording(const std::filesystem::path& file);

  [[nodiscard]] ActivationShape shape() const override { return shape_; }
  [[nodiscard]] std::string model_name() const override;
  [[nodiscard]] std::string sha256() const override;
  [[nodiscard]] const std::vector<std::int64_t>& tokens() const override { return tokens_; }
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override;

 private:
  void check_layer(std::int64_t layer) const;
  void check_hidden() const;
  [[nodiscard]] std::string hidden_name(std::int64_t layer) const;
  /// What stands for q and k.
  [[nodiscard]] std::string square_name(std::int64_t layer) const;
  [[nodiscard]] std::string q_name(std::int64_t layer) const;
  [[nodiscard]] std::string k_name(std::int64_t layer) const;
  [[nodiscard]] LayerRows read_layer(std::int64_t layer) const;
  void read_tokens();
  void read_temperatures();

  safetensors::File file_;
  bool is_rotary_;  ///< whether q and k are those after rotary embedding
  ActivationShape shape_;
  std::vector<std::int64_t> tokens_;
};

/// Runs a checkpoint on token ids and records what it computes, in the dtype of its weights: the
/// tensors that `Recording` reads, `blocks.0.hook_resid_pre`, `blocks.{i}.hook_resid_post`,
/// `logits` [position, vocabulary], `tokens` [position]; in the metadata the BLAS and LibTorch's
/// kernels, which the last digits depend on. The file appears whole or not at all.
/// Throws BadInput for tokens that the model cannot read and a file that cannot be written.
void record(const Checkpoint& checkpoint, const std::string& model_name,
            const std::vector<std::int64_t>& tokens, const std::filesystem::path& file);

}  // namespace attn::gpt2
