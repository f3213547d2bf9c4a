#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gpt2_check/heads/head.hpp"
#include "theory/attention/jacobian.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/number/error_double.hpp"

namespace attn::gpt2 {

/// The raw logits of a head, row by row. Of queries and keys those of a block of rows are computed
/// at once and dropped for the next block, so that rows asked for in order cost one matrix product
/// and no L x L numbers are kept.
class LogitRows {
 public:
  /// `head` must outlive it; its mask lists no tokens.
  explicit LogitRows(const Head& head) : head_(&head) {}

  /// l_i of the tokens that the row sees; until another row is asked for.
  std::span<const double> at(Eigen::Index row);

 private:
  const Head* head_;
  Rows block_;            ///< [rows, tokens]; without queries one row
  Eigen::Index row_{};    ///< the first row of the block
  Eigen::Index token_{};  ///< the first token of the block
};

/// The logits of one row, as enclosures.
struct RowLogits {
  Eigen::Index first{};           ///< the position of the first token that the row sees
  Eigen::ArrayXd values, errors;  ///< by token
};

/// The raw logits of a head, with what bounds their rounding.
class HeadLogits {
 public:
  /// `head` must outlive it; its mask lists no tokens.
  explicit HeadLogits(const Head& head);

  /// The exact logits enclosed; where the weights alone are known, T ln of the number as well as
  /// the double next to it, so that the weights made of it enclose both the exact shares and the
  /// softmax of those doubles. -infinity, whose error is NaN, for a number that is 0.
  [[nodiscard]] RowLogits row(Eigen::Index row);

 private:
  const Head* head_;
  LogitRows rows_;
  Eigen::VectorXd q_length_, k_length_;  ///< ||q_t||, ||k_i||; empty where scores are given
};

/// The attention weights of one row under softmax, as enclosures (running error analysis), and the
/// order of its tokens, which are counted from the first one that the row sees.
class RowWeights {
 public:
  /// `depth`: how many of the largest weights are to be put in order; at least 2.
  RowWeights(RowLogits logits, double temperature, std::size_t depth);

  [[nodiscard]] std::size_t tokens() const {
    return static_cast<std::size_t>(logits_.values.size());
  }

  /// The position of the first token that the row sees.
  [[nodiscard]] Eigen::Index first() const { return logits_.first; }

  /// Token indices: the first min(depth, tokens) by decreasing logit as far as double arithmetic
  /// can tell, ties to the lower index; then the rest in no order.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  /// Whether the first n of order() certainly are the n largest weights; n <= depth.
  [[nodiscard]] bool certainly_top(std::size_t n) const;

  /// The weights and bounds on their errors, by token.
  [[nodiscard]] std::span<const double> values() const { return {values_.data(), tokens()}; }
  [[nodiscard]] std::span<const double> errors() const { return {errors_.data(), tokens()}; }
  [[nodiscard]] ErrorDouble at(std::size_t token) const {
    return {values()[token], errors()[token]};
  }

  /// F of a token: exp((l_i - l_(1))/T).
  [[nodiscard]] ErrorDouble f(std::size_t token) const {
    return {f_.data()[token], f_errors_.data()[token]};
  }

  /// The sum of F over all tokens but the first of order(), and over all.
  [[nodiscard]] const ErrorDouble& others() const { return others_; }
  [[nodiscard]] const ErrorDouble& total() const { return total_; }

  /// The raw logits by token, as computed.
  [[nodiscard]] std::span<const double> logits() const { return {logits_.values.data(), tokens()}; }
  [[nodiscard]] ErrorDouble logit(std::size_t token) const {
    return {logits_.values.data()[token], logits_.errors.data()[token]};
  }

  /// The weights for the secular equation, the two largest first; empty where those two are not
  /// certain.
  [[nodiscard]] std::optional<SortedWeights<ErrorDouble>> sorted() const;

 private:
  void put_in_order(std::size_t depth);
  void share_out();

  RowLogits logits_;
  ErrorDouble temperature_;
  Eigen::ArrayXd f_, f_errors_;  ///< exp((l_i - l_(1))/T)
  Eigen::ArrayXd values_, errors_;
  ErrorDouble others_, total_;
  std::vector<std::size_t> order_;
  std::vector<double> least_before_;  ///< least lower bound of the first n, as computed
  std::vector<double> most_after_;    ///< largest upper bound of the rest, as computed
};

}  // namespace attn::gpt2
