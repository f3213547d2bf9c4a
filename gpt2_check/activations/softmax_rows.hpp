#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// The coarser rounding of two.
const Rounding& coarser(const Rounding& a, const Rounding& b);

/// The coarsest rounding of the tensors that the logits of a layer are made of.
const Rounding& rounding_of_logits(const LayerRows& rows);

/// The rounding of what is computed in between: in float32 at least.
double rounding_of_steps(const Rounding& rounding);

/// How many rows of so many keys are compared at once.
std::int64_t rows_at_once(std::int64_t keys);

/// A head of a layer that has q and k, or scores.
struct LogitHead {
  const LayerRows& rows;
  std::int64_t head{};
  at::Tensor scores{};  ///< [query, key]; undefined where q and k are read

  LogitHead(const LayerRows& layer, std::int64_t number);
};

/// Logits [query, key] by T, and by how much each may be off.
struct Logits {
  at::Tensor values, error;
};

/// The logits of the rows from `begin` to before `end`; `rounding`: of what they are made of.
Logits logits_of(const LogitHead& head, std::int64_t begin, std::int64_t end,
                 const Rounding& rounding);

/// What softmax(l/T) makes of some rows of a head, [query, key], without the learned sink.
struct SoftmaxRows {
  at::Tensor weights;      ///< as they are computed here
  at::Tensor least, most;  ///< what rounding may make of them
  double most_shift{};     ///< how far it may move ln of a small weight, at most
};

/// The rows from `begin` on, of which `hidden` [query, key] says what they do not see; the weights
/// of rows that see no key are not numbers. `rounding`: the coarsest of what is compared. A logit
/// is off by as much as Agreement has it.
SoftmaxRows softmax_of(const LogitHead& head, std::int64_t begin, const at::Tensor& hidden,
                       const Rounding& rounding);

}  // namespace attn::gpt2
