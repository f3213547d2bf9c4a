#pragma once

#include <ATen/core/Tensor.h>

#include <compare>
#include <cstdint>

namespace attn::gpt2 {

/// What a query's tokens are ranked by: the weight a_i, the length of what a token adds to the
/// output, a_i ||v_i||, or an order drawn at random.
enum class Ranking { weight, contribution, random };

/// A change to every head of a forward pass: each query keeps its first N tokens, and the weights
/// of the others are set to 0. The tokens are ranked anew in every layer, by the activations of the
/// changed pass; of equal ones the earlier comes first. A query that sees N or fewer keeps all.
struct KeptTokens {
  std::int64_t count{};  ///< N >= 1
  Ranking ranking{};     ///< how the tokens are ranked, for every N alike
  bool renormalized{};   ///< the kept weights are divided by their sum; else they stay
  /// Draws for Ranking::random an order of the tokens for each head, which does not depend on N:
  /// the sets of several N are nested.
  std::uint64_t seed{};

  auto operator<=>(const KeptTokens&) const = default;
};

/// The random orders of the heads of one layer: [head, key], distinct numbers.
at::Tensor random_orders(std::uint64_t seed, std::int64_t layer, std::int64_t heads,
                         std::int64_t tokens, const at::TensorOptions& options);

/// Sets all but the kept ones of `weights` [query, key] to 0: softmax's, in rows one after the
/// other, of the queries start, start + 1, ..., over the keys up to each query's own. `importance`
/// [key]: ||v_i|| where contributions rank, the random order where that does; else not read.
void keep(const KeptTokens& kept, const at::Tensor& weights, std::int64_t start,
          const at::Tensor& importance);

}  // namespace attn::gpt2
