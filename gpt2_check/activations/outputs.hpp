#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// An output that is not what the weights and the values of its layer make.
struct OffOutput {
  std::int64_t query{}, head{}, number{};  ///< where it is: [query, head, d of v]
  double recorded{}, made{};
  bool is_of_no_key{};  ///< whether the query sees no key in this head, and some in another one
};

/// The coarser rounding of the weights of a layer and of outputs [query, head, d of v] that are
/// compared with what these make; values of fewer bits are exact in a sum.
const Rounding& rounding_of_outputs(const LayerRows& rows, const at::Tensor& outputs);

/// The first of `outputs` [query, head, d of v], float64, that is not the sum of the layer's
/// values, each times its weight, but for rounding; nothing where there is none. The weights are
/// those of a recorded pattern as they are, else softmax(l/T). Queries that see no key in any head
/// are not looked at. `heads`: of how many heads, from the first on.
///
/// Rounding makes at most the sum over the keys of (e + (1 + n 2^-24) u w) |v|, and 2 u of the
/// output: w is the weight, e by how much rounding may move it (Agreement has it of softmax(l/T),
/// and of a recorded one it is 3 u w), of n keys, and u is relative in `rounding`.
std::optional<OffOutput> first_off(const LayerRows& rows, const at::Tensor& outputs,
                                   const Rounding& rounding, std::int64_t heads);

/// How many of the outputs are not what first_off compares them with.
std::int64_t count_off(const LayerRows& rows, const at::Tensor& outputs, const Rounding& rounding);

/// The number by which the outputs of each head are multiplied against what its weights and values
/// make, by least squares; not finite where these make none.
std::vector<double> factors_of(const LayerRows& rows, const at::Tensor& outputs);

/// The number by which the outputs of each query and head are multiplied against what its weights
/// and values make, by least squares, [query, head]; not finite where these make none.
at::Tensor factors_of_rows(const LayerRows& rows, const at::Tensor& outputs);

}  // namespace attn::gpt2
