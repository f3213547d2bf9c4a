#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/heads/mask.hpp"
#include "reports/record/words.hpp"

namespace attn::gpt2 {

/// The same for every layer of a source.
struct ActivationShape {
  std::int64_t layers{}, heads{}, positions{}, head_width{};
  /// Of keys and values: head h of the queries reads number h / (heads/key_heads).
  std::int64_t key_heads{};
  bool has_queries{true};  ///< else there are scores or weights, and head_width may be 0
  bool has_values{true};
  bool has_weights_alone{false};       ///< neither queries and keys nor scores
  Mask mask{};                         ///< which tokens a query sees
  std::vector<double> temperatures{};  ///< T by layer

  /// The most tokens that a query sees.
  [[nodiscard]] std::int64_t longest_row() const { return mask.tokens(positions - 1, positions); }

  /// Whether the row at position `length` - 1 sees so many tokens, and stands for that length.
  [[nodiscard]] bool has_length(std::int64_t length) const {
    return mask.tokens(length - 1, positions) == length;
  }
};

using report::Embedding;

/// What the heads of one layer read and, where known, how they weighed it.
struct LayerRows {
  std::int64_t layer{};  ///< 0-based
  double temperature{};  ///< the paper's T for raw logits q.k, for the scores, or of the weights
  at::Tensor q;          ///< [position, head, d_head], float64, CPU, contiguous, finite; the values
                         ///< of the model or the file, widened exactly
  at::Tensor k, v;       ///< [position, key head, d_head], the same; undefined where not recorded
  at::Tensor scores{};   ///< [head, query, key], the same, 0 where a query does not see the key;
                         ///< defined where they stand for q and k
  at::Tensor weights{};  ///< [head, query, key], the same, at least 0, a row's sum above 0; defined
                         ///< where neither q and k nor the scores are
  at::Tensor hidden;     ///< [position, width], the same; undefined unless asked for
  at::Tensor pattern;    ///< [head, query, key], as stored beside what it comes from; undefined
                         ///< where it is not known
  Mask mask{};           ///< which tokens a query sees
};

/// [query, key]: whether a query of L tokens does not see a key, as booleans.
at::Tensor hidden_keys(const Mask& mask, std::int64_t positions);

/// The activations of one sequence of tokens, one layer at a time.
class ActivationSource {
 public:
  virtual ~ActivationSource() = default;

  [[nodiscard]] virtual ActivationShape shape() const = 0;

  /// The model as the user or the file names it.
  [[nodiscard]] virtual std::string model_name() const = 0;

  /// The SHA-256 of the file that the numbers come from: model.safetensors, or the recording.
  [[nodiscard]] virtual std::string sha256() const = 0;

  /// The ids of the tokens; empty where a recording does not hold them.
  [[nodiscard]] virtual const std::vector<std::int64_t>& tokens() const = 0;

  /// Visits the layers in order; no more than one is held. May be called again. `embedding` says
  /// whether `hidden` is wanted. Throws BadInput, naming the tensor, for one that a recording does
  /// not hold and for a number that is not finite, and whatever `visit` throws.
  virtual void for_each_layer(Embedding embedding,
                              const std::function<void(const LayerRows&)>& visit) = 0;
};

/// The largest |softmax(q.k / T) - pattern| of a layer under its mask, computed in double;
/// nothing where the layer has no pattern beside what it comes from. A large one says that the
/// pattern does not come from these q and k alone (rotary embeddings, another T or mask).
std::optional<double> pattern_difference(const LayerRows& rows);

}  // namespace attn::gpt2
