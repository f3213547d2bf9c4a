#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpt2_check/rows/row.hpp"
#include "theory/claims/distance.hpp"
#include "theory/claims/gradient.hpp"

namespace attn::gpt2 {

/// The double filter's view of one head: everything the claims need of its rows, in plain double
/// arithmetic with error bounds worked out in advance (standard model, u = 2^-53, and
/// gamma_n = n u / (1 - n u) for a sum of n products in any order; Higham, section 3.1), so that no
/// bound has to be carried along the inner loops.
class HeadFilter {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  HeadFilter(const LayerRows& layer, std::int64_t head);

  [[nodiscard]] std::int64_t positions() const { return v_.rows(); }

 private:
  friend class RowFilter;

  Rows q_, k_, v_;                            ///< [position, d_head]
  Eigen::VectorXd q_norm_, k_norm_, v_norm_;  ///< [position]
  Rows distance_;                             ///< ||v_i - v_j||, [position, position]
};

/// The weights of one row, as enclosures, and the terms of the claims on them.
class RowFilter {
 public:
  RowFilter(const HeadFilter& head, const Row& row);

  [[nodiscard]] std::size_t tokens() const { return f_.value.size(); }

  /// Token indices by decreasing weight, as far as double arithmetic can tell.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  /// Whether the first n of order() certainly are the n largest weights.
  [[nodiscard]] bool certainly_top(std::size_t n) const;

  /// The weights sorted for the secular equation; empty where the two largest are not certain.
  [[nodiscard]] std::optional<SortedWeights<ErrorDouble>> sorted() const;

  /// F and F' of the row's tokens (softmax, shifted by the largest logit).
  [[nodiscard]] const Normalized<ErrorDouble>& normalized() const { return f_; }

  [[nodiscard]] ErrorDouble weight(std::size_t token) const { return a_[token]; }

  /// The terms of Theorem 1 for a set of tokens.
  [[nodiscard]] DistanceTerms<ErrorDouble> terms(std::span<const std::size_t> set) const;

  /// The parts of D about the set's centre c = s/A.
  [[nodiscard]] CentredTerms<ErrorDouble> centred_terms(std::span<const std::size_t> set) const;

  /// D - core, without the digits that the difference would lose where nearly all weight is
  /// selected: with n = ||s||, the sum over the others of
  /// ||a_i x_i - s|| - n + a_i n/A = a_i [(a_i ||x_i||^2 - 2 x_i . s)/(||a_i x_i - s|| + n) + n/A].
  [[nodiscard]] ErrorDouble beyond_core(std::span<const std::size_t> set) const;

  /// N_s/N of the paper's separability measure: the share of the selected tokens with
  /// ||a_i x_i - s|| below r = min over the others. Plain double: measured, not certified.
  [[nodiscard]] double distinguishable_share(std::span<const std::size_t> set) const;

 private:
  [[nodiscard]] Eigen::VectorXd sum_of(std::span<const std::size_t> set) const;
  [[nodiscard]] double sum_error(std::span<const std::size_t> set) const;
  [[nodiscard]] ErrorDouble mass_of(std::span<const std::size_t> set) const;
  [[nodiscard]] double offset(std::size_t token, const Eigen::VectorXd& s) const;
  [[nodiscard]] std::vector<bool> mask_of(std::span<const std::size_t> set) const;

  const HeadFilter* head_;
  std::vector<ErrorDouble> logits_, a_;
  Normalized<ErrorDouble> f_;
  std::vector<std::size_t> order_;
  std::vector<double> least_before_;  ///< least lower bound among the first n of order()
  std::vector<double> most_after_;    ///< largest upper bound among the rest
};

}  // namespace attn::gpt2
