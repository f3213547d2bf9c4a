#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/heads/mask.hpp"

namespace attn::gpt2 {

/// What a recording says in words of what its queries see.
struct Said {
  /// By layer, in the file's order: the word of metadata `mask`; none where there is none, or where
  /// the word is `recorded`.
  std::vector<std::optional<Mask>> masks{};

  /// Metadata `temperatures`: T by layer; empty where it is not said.
  std::vector<double> temperatures{};

  /// Metadata `hidden_below`: nothing where it is not said.
  enum class Scores { unsaid, bounded, none } below{Scores::unsaid};
  double bound{};  ///< where it is bounded: a score that is no greater hides its key

  /// Metadata `zeros`: whether a weight of 0 hides its key.
  enum class Zeros { unsaid, hidden, weights } zeros{Zeros::unsaid};

  /// Metadata `padding` or the tensor `attention_mask`: the positions that are padding, ascending.
  struct Padding {
    std::vector<std::int64_t> positions{};
    /// How many positions the tensor has; nothing without one.
    std::optional<std::int64_t> length{};
    std::string where{};  ///< which of metadata and tensor says it, as a message names it
  };
  std::optional<Padding> padding{};

  /// Which of so many positions are padding, as booleans; undefined where that is not said. Throws
  /// BadInput where there are other positions.
  [[nodiscard]] at::Tensor padding_of(const safetensors::File& file, std::int64_t positions) const;
};

/// Reads the metadata `mask`, `temperatures`, `hidden_below`, `zeros` and `padding`, and the tensor
/// `attention_mask`. `layers`: the numbers of the layers, ascending. Throws BadInput for a value
/// that is none.
Said read_said(const safetensors::File& file, const std::vector<std::int64_t>& layers);

/// The tensor `hook_mask` of a layer, [1 or head, query, key], booleans: which keys a query sees;
/// undefined where it is not there. Throws BadInput for another shape, or another type than BOOL
/// and U8 of zeros and ones.
at::Tensor read_hook_mask(const safetensors::File& file, const LayerShape& layer);

/// The tensor `hook_sink` of a layer, [head], float64, finite; undefined where it is not there.
/// Throws BadInput for another shape.
at::Tensor read_hook_sink(const safetensors::File& file, const LayerShape& layer);

/// The report's word for a mask without lists.
std::string word_of(const Mask& mask);

}  // namespace attn::gpt2
