#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "theory/case.hpp"

namespace attn::gpt2 {

/// One row of one head: what the query at position `row` reads from the tokens it can see, those at
/// positions 0..row. The embeddings of the claims are x_i = v_i, the logits l_i = q_row . k_i.
struct Row {
  std::int64_t head{};
  std::int64_t row{};
  double temperature{};
};

/// The row as an exact case without a selected set: every stored number is taken as exact.
Case exact_case(const LayerRows& layer, const Row& row);

/// The same with the N largest weights selected.
Case exact_case_top_n(const LayerRows& layer, const Row& row, std::size_t n);

/// The same with a set of tokens selected.
Case exact_case_set(const LayerRows& layer, const Row& row, std::vector<std::size_t> set);

}  // namespace attn::gpt2
