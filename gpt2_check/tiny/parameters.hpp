#pragma once

#include <cstdint>

#include "gpt2_check/model/gpt2.hpp"

namespace attn::tiny {

/// All parameters of a model in one flat float32 tensor, so that the optimiser is a few vector
/// operations; every weight is a part of it.
class Parameters {
 public:
  /// Initialised as GPT-2 is.
  Parameters(const gpt2::Config& config, std::uint64_t seed);

  [[nodiscard]] const at::Tensor& flat() const { return flat_; }

  /// 1 where weight decay applies (matrices and embeddings), 0 elsewhere; as long as `flat()`.
  [[nodiscard]] const at::Tensor& decayed() const { return decayed_; }

  /// Weights that share memory with `flat()`.
  [[nodiscard]] gpt2::Weights weights() const;

  /// The same as leaves of a graph: a backward pass adds their gradients to `gradient`, as long as
  /// `flat()`.
  [[nodiscard]] gpt2::Weights leaves(const at::Tensor& gradient) const;

 private:
  gpt2::Config config_;
  at::Tensor flat_, decayed_;
};

}  // namespace attn::tiny
