#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpt2_check/heads/row_weights.hpp"

namespace attn::gpt2 {

/// How few tokens of a row hold a share of its weight: the least N whose N largest weights have a
/// sum of that share or more. As the weights are enclosures, it lies between two numbers, which
/// differ only where that sum is the share but for rounding.
struct TokensHolding {
  std::size_t possible{};  ///< no fewer tokens can hold the share
  std::size_t certain{};   ///< so many do; at most all tokens of the row
};

/// How few tokens hold each of some shares, in per cent from 1 to 99.
std::vector<TokensHolding> tokens_holding(const RowWeights& weights, std::span<const int> percents);

}  // namespace attn::gpt2
