#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>

#include <vector>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// [head, query, key]; undefined of none.
inline at::Tensor all_heads(const HeadSquares& squares) {
  std::vector<at::Tensor> heads;
  for (std::int64_t head = 0; head < squares.heads(); ++head) heads.push_back(squares[head]);
  return heads.empty() ? at::Tensor() : at::stack(heads);
}

}  // namespace attn::gpt2
