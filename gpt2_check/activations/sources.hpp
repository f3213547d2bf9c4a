#pragma once

#include <filesystem>
#include <initializer_list>

#include "gpt2_check/activations/names.hpp"
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
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override;

 private:
  LayerwiseCheckpoint checkpoint_;
  std::string model_name_;
  std::vector<std::int64_t> tokens_;
};

/// Activations that were recorded from any transformer into a safetensors file, under the names of
/// TransformerLens (names.hpp). gpt2_check/README.md says which tensors and metadata are read, and
/// what a query sees. Where a number hides a key after a query's own and there is no `mask`, all
/// other keys are seen. A position that no other query sees is padding: the source has it not, and
/// its positions count the others.
class Recording : public ActivationSource {
 public:
  /// Checks names, dtypes and shapes of every layer before any number is read. Throws BadInput,
  /// naming the tensor, for one that is missing, of another dtype or of another shape than the
  /// rest.
  explicit Recording(const std::filesystem::path& file);

  [[nodiscard]] ActivationShape shape() const override { return shape_; }
  [[nodiscard]] std::string model_name() const override;
  [[nodiscard]] std::string sha256() const override { return file_.sha256(); }
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override;

 private:
  /// What a layer's queries see: as in LayerRows.
  struct Sight {
    Mask mask;
    at::Tensor seen;
  };

  void check_layer(std::int64_t layer) const;
  /// Whether scores stand for q and k.
  [[nodiscard]] bool has_scores() const { return !shape_.has_queries && !shape_.has_weights_alone; }
  [[nodiscard]] std::string q_name(std::int64_t layer) const {
    return is_rotary_ ? names::rotary_q(layer) : names::q(layer);
  }
  [[nodiscard]] std::string k_name(std::int64_t layer) const {
    return is_rotary_ ? names::rotary_k(layer) : names::k(layer);
  }
  /// A tensor without its batch dimension.
  [[nodiscard]] at::Tensor recorded(const std::string& name) const;
  /// Without the padding along these axes, contiguous.
  [[nodiscard]] at::Tensor kept(at::Tensor tensor, std::initializer_list<std::int64_t> axes) const;
  /// [head, query, key] with the padding: whether a score or a weight hides the key; undefined
  /// where none can.
  [[nodiscard]] at::Tensor hidden_by_numbers(std::int64_t layer) const;
  [[nodiscard]] Sight sight(std::size_t index) const;
  [[nodiscard]] LayerRows read_layer(std::size_t index) const;
  void find_padding();
  void find_reach();
  void read_temperatures();

  safetensors::File file_;
  std::vector<std::int64_t> layers_;  ///< their numbers, ascending
  bool is_rotary_;                    ///< whether q and k are those after rotary embedding
  bool hides_zeros_;                  ///< whether zeros of a pattern hide a key
  std::vector<Mask> masks_;           ///< by layer, as the metadata say
  at::Tensor kept_;                   ///< the positions that are no padding; undefined: all
  ActivationShape shape_;
};

/// Runs a checkpoint on token ids and records what it computes, in the dtype of its weights: the
/// tensors that `Recording` reads, `blocks.{i}.hook_resid_post`, `logits` [position, vocabulary],
/// `tokens` [position]; in the metadata the BLAS and LibTorch's
/// kernels, which the last digits depend on. The file appears whole or not at all.
/// Throws BadInput for a file that cannot be written.
void record(const Checkpoint& checkpoint, const std::string& model_name,
            const std::vector<std::int64_t>& tokens, const std::filesystem::path& file);

}  // namespace attn::gpt2
