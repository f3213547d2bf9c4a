#pragma once

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// Numbers of the heads of a layer by [query, key], and which of them are seen.
struct SeenSquares {
  HeadSquares numbers;
  at::Tensor seen;  ///< [1 or head, query, key], booleans
};

/// How many queries show how the rows of a layer were made. All queries of a long text would take
/// copies of the whole layer, and show no more.
inline constexpr std::int64_t kShowingQueries = 512;

/// The first kShowingQueries queries of a layer that see a key, and the keys from the first to the
/// last that one of them sees; the layer itself where it has no more queries. `seen`: [1 or head,
/// query, key], booleans.
SeenSquares first_rows(const HeadSquares& numbers, const at::Tensor& seen);

}  // namespace attn::gpt2
