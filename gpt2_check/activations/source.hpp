#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/words.hpp"

namespace attn::gpt2 {

/// The same for every layer of a source.
struct ActivationShape {
  std::int64_t layers{}, heads{}, positions{}, head_width{};
  /// Of keys and values: head h of the queries reads number h / (heads/key_heads).
  std::int64_t key_heads{};
  bool has_queries{true};  ///< else there are scores, and head_width may be 0
  bool has_values{true};
};

using report::Embedding;

/// What the heads of one layer read and, where known, how they weighed it.
struct LayerRows {
  std::int64_t layer{};  ///< 0-based
  double temperature{};  ///< the paper's T for raw logits q.k, or for the scores
  at::Tensor q;          ///< [position, head, d_head], float64, CPU, contiguous, finite; the values
                         ///< of the model or the file, widened exactly
  at::Tensor k, v;       ///< [position, key head, d_head], the same; undefined where not recorded
  at::Tensor scores{};  ///< [head, query, key], the same, 0 where key > query; defined where q and k
                       ///< are not
  at::Tensor hidden;   ///< [position, width], the same; undefined unless asked for
  at::Tensor pattern;  ///< [head, query, key], as stored; undefined where it is not known
};

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

/// The largest |softmax(q.k / T) - pattern| of a layer under the causal mask, computed in double;
/// nothing where the layer has no pattern. A large one says that the pattern does not come from
/// these q and k alone (rotary embeddings, another T or mask).
std::optional<double> pattern_difference(const LayerRows& rows);

}  // namespace attn::gpt2
