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

/// The raw logits of a head, with what bounds their rounding.
struct HeadLogits {
  explicit HeadLogits(const Head& head);

  /// The exact logit enclosed; where the weights alone are known, T ln of the number as well as the
  /// double next to it, so that the weights made of it enclose both the exact shares and the
  /// softmax of those doubles. -infinity, without an error, for a number that is 0.
  [[nodiscard]] ErrorDouble at(Eigen::Index row, Eigen::Index token) const;

  /// The first token that a query sees, and how many.
  [[nodiscard]] Eigen::Index first(Eigen::Index row) const { return mask.first(row); }
  [[nodiscard]] Eigen::Index tokens(Eigen::Index row) const {
    return mask.tokens(row, values.rows());
  }

  Rows values;                         ///< [query, key], meaningful where seen
  Eigen::VectorXd q_length, k_length;  ///< ||q_t||, ||k_i||; empty where scores are given
  Eigen::Index width{};                ///< d_head; 0 where scores are given
  bool from_pattern{};                 ///< whether the values are T ln of exact numbers, rounded
  Mask mask{};
};

/// The attention weights of one row under softmax, as enclosures (running error analysis), and the
/// order of its tokens, which are counted from the first one that the row sees.
class RowWeights {
 public:
  /// `depth`: how many of the largest weights are to be put in order; at least 2.
  RowWeights(const HeadLogits& head, Eigen::Index row, double temperature, std::size_t depth);

  [[nodiscard]] std::size_t tokens() const { return values_.size(); }

  /// The position of the first token that the row sees.
  [[nodiscard]] Eigen::Index first() const { return first_; }

  /// Token indices: the first min(depth, tokens) by decreasing logit as far as double arithmetic
  /// can tell, ties to the lower index; then the rest in no order.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  /// Whether the first n of order() certainly are the n largest weights; n <= depth.
  [[nodiscard]] bool certainly_top(std::size_t n) const;

  /// The weights and bounds on their errors, by token.
  [[nodiscard]] std::span<const double> values() const { return values_; }
  [[nodiscard]] std::span<const double> errors() const { return errors_; }
  [[nodiscard]] ErrorDouble at(std::size_t token) const { return {values_[token], errors_[token]}; }

  /// F and F' of the tokens: softmax, shifted by the largest logit.
  [[nodiscard]] const Normalized<ErrorDouble>& normalized() const { return f_; }

  [[nodiscard]] std::span<const ErrorDouble> logits() const { return logits_; }

  /// The weights for the secular equation, the two largest first; empty where those two are not
  /// certain.
  [[nodiscard]] std::optional<SortedWeights<ErrorDouble>> sorted() const;

 private:
  void put_in_order(std::size_t depth);

  Eigen::Index first_;
  std::vector<ErrorDouble> logits_;
  Normalized<ErrorDouble> f_;
  std::vector<double> values_, errors_;
  std::vector<std::size_t> order_;
  std::vector<double> least_before_;  ///< least lower bound among the first n of order()
  std::vector<double> most_after_;    ///< largest upper bound among the rest
};

}  // namespace attn::gpt2
