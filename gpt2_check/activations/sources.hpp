#pragma once

#include <filesystem>
#include <initializer_list>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

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

/// Activations that were recorded from any transformer into a safetensors file, under the names of
/// TransformerLens: `blocks.{i}.attn.hook_q|hook_k|hook_v` [position, head, d_head] in F64, F32,
/// F16 or BF16, for any layers, with or without a batch dimension of 1; with rotary embeddings
/// `hook_rot_q|hook_rot_k` in place of the first two; with grouped keys fewer heads of k and v, a
/// divisor of those of q; or `hook_attn_scores` [head, query, key] in place of q and k, or beside
/// them, which then are not read; or `hook_pattern` [head, query, key] alone, weights of at least
/// 0, which are taken as exact numbers divided by their sum. v may be missing in every layer. And
/// where known `blocks.{i}.attn.hook_pattern` beside q and k or the scores, and `tokens`
/// [position]. The residual stream that layer i reads is `blocks.{i}.hook_resid_pre` [position,
/// width], or for i > 0 `blocks.{i-1}.hook_resid_post`. T is sqrt(d_head) for q and k and 1 for
/// scores and weights, or what the metadata `temperatures` lists. A query sees the tokens up to its
/// own, or what the metadata `mask` says, of all layers or in a JSON list of each: `full`, all;
/// `window:K`, K >= 2, the last K of those. Of these it does not see a key with a score of minus
/// infinity, or of at most half of the least number of its type, nor, where the metadata `zeros`
/// say `hidden`, with a weight of 0 or NaN; where there is such a key after a query's own and no
/// `mask`, all others are seen. A position that no other query sees is padding: the source has it
/// not, and its positions count the others.
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
  /// What a layer's queries see: as in LayerRows.
  struct Sight {
    Mask mask;
    at::Tensor seen;
  };

  void check_layer(std::int64_t layer) const;
  void check_hidden() const;
  [[nodiscard]] std::string hidden_name(std::int64_t layer) const;
  /// What stands for q and k.
  [[nodiscard]] std::string square_name(std::int64_t layer) const;
  [[nodiscard]] std::string q_name(std::int64_t layer) const;
  [[nodiscard]] std::string k_name(std::int64_t layer) const;
  /// A tensor without its batch dimension.
  [[nodiscard]] at::Tensor recorded(const std::string& name, std::size_t dimensions) const;
  /// Without the padding along these axes, contiguous.
  [[nodiscard]] at::Tensor kept(at::Tensor tensor, std::initializer_list<std::int64_t> axes) const;
  /// [head, query, key] with the padding: whether a score or a weight hides the key; undefined
  /// where none can.
  [[nodiscard]] at::Tensor hidden_by_numbers(std::int64_t layer) const;
  [[nodiscard]] Sight sight(std::size_t index) const;
  [[nodiscard]] LayerRows read_layer(std::size_t index, bool wants_hidden) const;
  void find_padding();
  void find_reach();
  void read_tokens();
  void read_temperatures();

  safetensors::File file_;
  std::vector<std::int64_t> layers_;  ///< their numbers, ascending
  bool is_rotary_;                    ///< whether q and k are those after rotary embedding
  bool hides_zeros_;                  ///< whether zeros of a pattern hide a key
  std::vector<Mask> masks_;           ///< by layer, as the metadata say
  at::Tensor kept_;                   ///< the positions that are no padding; undefined: all
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
