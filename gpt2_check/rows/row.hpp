#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpt2_check/heads/head.hpp"
#include "theory/attention/case.hpp"
#include "theory/claims/claim.hpp"

namespace attn::gpt2 {

/// One row of a head: what the query at position `row` reads from the tokens that the head's mask
/// shows it, at a temperature T. The logits are l_i = q_row . k_i.
struct Row {
  std::int64_t row{};
  double temperature{};

  bool operator==(const Row&) const = default;
};

/// One case of a row: the row itself, or the row with some of its tokens selected.
struct RowCase {
  Row row;
  std::size_t n{};               ///< how many tokens are selected; 0 where none are
  std::vector<std::size_t> set;  ///< which, ascending, counted from the first token that the row
                                 ///< sees; empty for the n largest weights

  bool operator==(const RowCase&) const = default;

  /// "layer 3, head 2, row 17, T 8, N 5 (random set)", with the words of `set` in brackets.
  [[nodiscard]] std::string place(const Head& head, std::string_view set_name) const;
};

// The row as an exact case: every stored number is taken as exact. Where the weights alone are
// known, cases with embeddings hold them, at the temperature of the pattern; the others hold the
// head's logits.

/// Logits and temperature.
SoftmaxRow exact_logits(const Head& head, const Row& row);

/// The same with the embeddings and the N largest weights selected.
TopNEmbeddings exact_top_n(const Head& head, const Row& row, std::size_t n);

/// The same with the embeddings, none of them selected.
WeightedEmbeddings exact_embeddings(const Head& head, const Row& row);

/// The same with a set of tokens selected.
SetEmbeddings exact_set(const Head& head, const Row& row, std::vector<std::size_t> set);

/// The query, the keys and the temperature.
QueryKeys exact_query_keys(const Head& head, const Row& row);

/// Whether a kind holds the x of the claims.
bool reads_embeddings(const Kind& kind);

/// Whether a row of the head has a case of the kind, which exact_case() then gives: false where the
/// row has no logits, or the head no queries, and the kind reads them.
bool has_case(const Head& head, const Kind& kind, const Row& row);

/// The kinds of which a row gives one case: those of is_on_rows() in which no token is selected and
/// no step is taken.
std::span<const Kind> kinds_without_set();

/// What a claim of this kind reads: of those of is_on_rows() any but SoftmaxDirection, which needs
/// a step as well. Throws std::logic_error for any other.
Case exact_case(const Head& head, const Kind& kind, const RowCase& at);

/// Logits, temperature, and a step of length epsilon that raises one token and lowers another.
SoftmaxDirection exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                            std::size_t lowered);

}  // namespace attn::gpt2
