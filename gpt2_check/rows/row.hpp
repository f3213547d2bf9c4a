#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpt2_check/heads/head.hpp"
#include "theory/attention/case.hpp"

namespace attn::gpt2 {

/// One row of a head: what the query at position `row` reads from the tokens it can see, those at
/// positions 0..row, at a temperature T. The logits are l_i = q_row . k_i.
struct Row {
  std::int64_t row{};
  double temperature{};
};

// The row as an exact case: every stored number is taken as exact.

/// Logits and temperature.
Case exact_logits(const Head& head, const Row& row);

/// The same with the embeddings and the N largest weights selected.
Case exact_top_n(const Head& head, const Row& row, std::size_t n);

/// The same with a set of tokens selected.
Case exact_set(const Head& head, const Row& row, std::vector<std::size_t> set);

/// The query, the keys and the temperature.
Case exact_query_keys(const Head& head, const Row& row);

/// Logits, temperature, and a step of length epsilon that raises one token and lowers another.
Case exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                std::size_t lowered);

}  // namespace attn::gpt2
