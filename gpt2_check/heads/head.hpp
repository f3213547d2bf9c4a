#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gpt2_check/heads/mask.hpp"
#include "gpt2_check/heads/square.hpp"

namespace attn::gpt2 {

/// What one head reads from a sequence of L tokens. The query at row t sees the tokens that the
/// mask shows it: its row has a logit l_i = q_t . k_i and an embedding x_i for each. Where no
/// queries and keys are known, the logits are the scores, as exact numbers. The queries are the
/// last ones: of Q < L queries, that at row t is of token t + L - Q.
///
/// Where the weights alone are known, those of a row are its exact numbers divided by their sum,
/// and its logits are the doubles next to T ln of the numbers. A row that holds a 0 has none.
struct Head {
  std::int64_t layer{}, head{};  ///< 0-based
  double temperature{};          ///< the paper's T for the logits
  Rows q{}, k{};                 ///< [Q, d_head] and [L, d_head]; else empty
  Rows x{};                      ///< [L, d], the embeddings of the claims; d = 0: not known
  Square scores{};  ///< meaningful where seen; in place of queries and keys, else empty
  Mask mask{};
  /// At least 0, a row's sum above 0 where seen; empty but where the weights alone are known.
  Square pattern{};
  double pattern_temperature{};  ///< the T at which the weights are those of the pattern
  /// By query: whether the sum of its pattern is that of no softmax, as recorded; empty where no
  /// sum is.
  std::vector<bool> is_off_sum{};
  /// Whether token 0 is a learned sink: a logit without a key, and the embedding 0. Queries and
  /// keys then have one more coordinate, which makes q . k_0 that logit and is 0 in all other keys.
  bool has_sink{false};

  [[nodiscard]] Eigen::Index queries() const {
    return has_queries() ? q.rows() : square().queries();
  }
  [[nodiscard]] Eigen::Index keys() const { return x.rows(); }
  [[nodiscard]] bool has_queries() const { return q.size() > 0; }
  /// Whether the first query is that of the first token.
  [[nodiscard]] bool asks_first() const { return queries() == keys() && !has_sink; }

  /// The tokens that a query sees: so many, the i-th at that position.
  [[nodiscard]] Eigen::Index tokens(Eigen::Index row) const { return mask.tokens(row, keys()); }
  [[nodiscard]] Eigen::Index position(Eigen::Index row, Eigen::Index i) const {
    return mask.position(row, i);
  }
  /// The position of the first token that a query sees, where the mask has no lists: it sees the
  /// tokens from there on.
  [[nodiscard]] Eigen::Index first(Eigen::Index row) const { return mask.first(row); }
  /// Whether the query at `row` sees the token at position 0.
  [[nodiscard]] bool sees_first(Eigen::Index row) const { return mask.sees(row, 0, keys()); }

  /// The number of tokens up to the query's own; below 1 where there are too few.
  [[nodiscard]] Eigen::Index length_of(Eigen::Index row) const {
    return row + 1 + keys() - queries();
  }
  /// The row whose query has L tokens up to its own: see length_of.
  [[nodiscard]] Eigen::Index row_of(Eigen::Index length) const {
    return length - 1 - (keys() - queries());
  }

  /// The rows of a matrix by position that a query sees, in order.
  [[nodiscard]] Rows seen_rows(const Rows& by_position, Eigen::Index row) const;
  /// The numbers by position that a query sees, in order.
  [[nodiscard]] Eigen::VectorXd seen(const Eigen::Ref<const Eigen::VectorXd>& by_position,
                                     Eigen::Index row) const;

  /// What stands for queries and keys; empty where they are known.
  [[nodiscard]] const Square& square() const { return pattern.empty() ? scores : pattern; }

  /// The logit that a number of square() is or makes: of a pattern T ln of it at the pattern's T,
  /// rounded; -infinity of 0.
  [[nodiscard]] double logit_of(double number) const;

  /// Whether the row has logits at all: false where its pattern holds a 0, or is off its sum.
  [[nodiscard]] bool has_logits(Eigen::Index row) const;

  /// Whether the row has weights: false where its pattern is 0 throughout.
  [[nodiscard]] bool has_weights(Eigen::Index row) const;

  /// Whether the weights at T are exactly the pattern's numbers divided by their sum.
  [[nodiscard]] bool has_shares(double temperature) const {
    return !pattern.empty() && temperature == pattern_temperature;
  }
};

/// `head` where nothing can be read from position 0: its key and embedding are taken away, and
/// where asks_first() its query, so that row t of the result is row t + 1 of `head`. The weights
/// are renormalised over the other tokens. L >= 2.
Head without_first_token(const Head& head);

/// `head` where the query at row t sees the first t + 1 tokens, or without asks_first() the first t
/// + 2; the numbers of a pattern are divided by what is left of their sum, where that is above 0.
/// Of its first rows alone, at most so many, can be asked for what they see.
Head cut_to_few_tokens(const Head& head, Eigen::Index rows);

/// What the query at `row` reads, as a head of that query alone and of the tokens that it sees.
Head only_row(const Head& head, Eigen::Index row);

/// Raw logits of one row, of the tokens that it sees.
Eigen::VectorXd raw_logits(const Head& head, Eigen::Index row);

/// Puts a learned sink of that logit, at the head's own scale, before all tokens: every query sees
/// it, and its embedding is 0. Of a pattern its number is what the others leave of 1.
Head with_sink(Head head, double logit);

/// softmax(l / T) of one row into `weights`, both of the row's tokens.
void softmax(std::span<const double> logits, double temperature, std::span<double> weights);

}  // namespace attn::gpt2
