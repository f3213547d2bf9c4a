#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

namespace attn::gpt2 {

/// Row-major, float64: row i is the vector of position i.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What one head reads from a sequence of L tokens. The query at position t sees the tokens 0..t
/// (causal mask): its row has t + 1 logits l_i = q_t . k_i and the embeddings x_0..x_t. Where no
/// queries and keys are known, the logits are the scores, as exact numbers.
struct Head {
  std::int64_t layer{}, head{};  ///< 0-based
  double temperature{};          ///< the paper's T for the logits
  Rows q{}, k{};                 ///< [L, d_head]; empty where `scores` stand for them
  Rows x{};                      ///< [L, d], the embeddings of the claims; d = 0: not known
  Rows scores{};                 ///< [query, key], meaningful where key <= query; else empty

  [[nodiscard]] Eigen::Index positions() const { return x.rows(); }
  [[nodiscard]] bool has_queries() const { return q.size() > 0; }
};

/// The same head where nothing can be read from position 0: its query, key and embedding are taken
/// away, so that row t of the result is row t + 1 of `head` with the weights renormalised over the
/// tokens 1..t+1. L >= 2.
Head without_first_token(const Head& head);

/// Raw logits [query, key] of all rows; the entries with key > query mean nothing.
Rows raw_logits(const Head& head);

/// Those of one row, its t + 1 tokens.
Eigen::VectorXd raw_logits(const Head& head, Eigen::Index row);

/// softmax(l / T) of one row into `weights`, both of the row's t + 1 tokens.
void softmax(std::span<const double> logits, double temperature, std::span<double> weights);

}  // namespace attn::gpt2
