#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/heads/mask.hpp"

namespace attn::gpt2 {

/// Numbers of the heads of a layer by [query, key], of any floating-point type: at hand, or read
/// from where they are each time that they are asked for.
class HeadSquares {
 public:
  /// [query, key] of a head; may be called by several threads at once.
  using Read = std::function<at::Tensor(std::int64_t head)>;

  HeadSquares() = default;  ///< undefined
  HeadSquares(std::int64_t heads, Read read) : heads_(heads), read_(std::move(read)) {}
  /// [head, query, key], or undefined.
  HeadSquares(const at::Tensor& numbers) {  // NOLINT(google-explicit-constructor): as they are
    if (!numbers.defined()) return;
    heads_ = numbers.size(0);
    read_ = [numbers](std::int64_t head) { return numbers[head]; };
  }

  [[nodiscard]] bool defined() const { return read_ != nullptr; }
  [[nodiscard]] std::int64_t heads() const { return heads_; }

  /// [query, key] of a head.
  at::Tensor operator[](std::int64_t head) const { return read_(head); }

 private:
  std::int64_t heads_{};
  Read read_;
};

/// What the heads of one layer read and, where known, how they weighed it. Keys are those without a
/// learned sink.
struct LayerRows {
  std::int64_t layer{};  ///< the number of the layer, 0-based
  double temperature{};  ///< the paper's T for raw logits q.k, for the scores, or of the weights
  at::Tensor q{};        ///< [query, head, d], float64, CPU, contiguous, finite; the values of the
                         ///< model or the file, widened exactly
  at::Tensor k{};        ///< [key, key head, d], float64, CPU, contiguous, finite
  /// [key, key head, d of v], float64, CPU, contiguous, finite; undefined where not recorded.
  at::Tensor v{};
  HeadSquares scores{};   ///< finite, 0 where a query does not see the key; defined where they
                          ///< stand for q and k
  HeadSquares weights{};  ///< finite, at least 0, 0 where a query does not see the key; defined
                          ///< where neither q and k nor the scores are
  HeadSquares pattern{};  ///< beside what it comes from; undefined where it is not known
  at::Tensor sink{};  ///< [head], float64: a logit l/T beside the others', of one more key, which
                      ///< every query sees and whose embedding is 0; undefined without one
  Mask mask{};        ///< which keys a query sees
  at::Tensor seen{};  ///< [1 or head, query, key], booleans: which keys, where it is defined

  /// The pattern, of its source or beside it; undefined where it has none.
  [[nodiscard]] const HeadSquares& recorded_weights() const {
    return weights.defined() ? weights : pattern;
  }

  /// How many heads of queries the layer has.
  [[nodiscard]] std::int64_t heads() const;
};

/// [query, key]: whether a query does not see a key, as booleans, of a mask without lists.
at::Tensor hidden_keys(const Mask& mask, std::int64_t queries, std::int64_t keys);

/// [1 or head, query, key]: whether a query sees a key.
at::Tensor seen_keys(const LayerRows& layer, std::int64_t queries, std::int64_t keys);

/// [query, key] of a head, of a tensor [1 or head, query, key] that has one for all heads or one
/// for each.
at::Tensor square_of(const at::Tensor& squares, std::int64_t head);

/// The part of a square [query, key] of the queries that see a key and the keys that a query sees.
/// `is_seen`: [query, key], booleans.
at::Tensor seen_part(const at::Tensor& square, const at::Tensor& is_seen);

/// [query, key] of a head, float64: its weights, 0 where its queries do not see the key. `seen`: [1
/// or head, query, key], booleans.
at::Tensor seen_weights(const HeadSquares& weights, const at::Tensor& seen, std::int64_t head);

/// How far the sum of recorded weights that softmax made may be from 1: more than twice what
/// bfloat16 rounds, the coarsest type that is read.
inline constexpr double kOffSum = 0.01;

/// A weight that a double beside 1 does not show: 2^-53.
inline constexpr double kUnseenWeight = 0x1p-53;

/// What is unusual about the weights that were recorded.
struct RecordedWeights {
  std::uint64_t zeros{};  ///< where a query sees the key
  /// Rows that hold one, where nothing beside the weights gives their logits.
  std::uint64_t zero_rows{};
  /// Rows whose sum is not 1, or beside a learned sink above it, those of zeros aside.
  std::uint64_t off_sum_rows{};
  std::uint64_t rows_above_one{};        ///< rows among off_sum_rows whose sum is above 1
  std::optional<double> farthest_sum{};  ///< the sum of off_sum_rows that is farthest from 1

  void add(const LayerRows& layer);
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

  /// Visits the layers in order; no more than one is held. What is visited may be kept. May be
  /// called again. Throws BadInput, naming the tensor, for a number that is not finite, and
  /// whatever `visit` throws.
  virtual void for_each_layer(const std::function<void(const LayerRows&)>& visit) = 0;
};

}  // namespace attn::gpt2
