#pragma once

#include <functional>
#include <optional>

#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/heads/output_terms.hpp"
#include "gpt2_check/rows/row.hpp"
#include "theory/attention/deviation.hpp"
#include "theory/attention/dispersion.hpp"

namespace attn::gpt2 {

/// What the kernels read of one row at one temperature T, as enclosures.
struct RowTerms {
  /// `twice_delta`: 2 ||q|| max_j ||k_j|| / T. `weights` must outlive the terms.
  RowTerms(const RowWeights& weights, double temperature, ErrorDouble twice_delta,
           const OutputTerms& output);

  const RowWeights* weights;
  ErrorDouble temperature;
  ErrorDouble twice_delta;
  DispersionTerms<ErrorDouble> dispersion;  ///< a = max |l_i|, F over a common factor
  /// By decreasing weight; empty where the two largest are not certain, and so is `norm`.
  std::optional<SortedWeights<ErrorDouble>> sorted;
  std::optional<ErrorDouble> norm;  ///< ||J|| of softmax
  ErrorDouble range;                ///< (max l - min l)/T
  Deviation<ErrorDouble> deviation;
  OutputTerms output;
  std::size_t selected{0};  ///< N; 0 where the claim has no set
  /// Of the claim's set of tokens. Null where the claim has no set, or speaks of the N largest
  /// weights and it is not certain which they are.
  const SetTerms* set{nullptr};
};

/// Told of a case of a row: which claims read it, its terms and its place.
using VisitCase = std::function<void(const Kind&, const RowTerms&, const RowCase&)>;

/// What the terms of a head's rows need of the head.
class HeadTerms {
 public:
  /// `head` must outlive the terms.
  explicit HeadTerms(const Head& head);

  /// Every case that one row has at the temperature T, for each kind of row_claims(): the
  /// row once, and for each N the N largest weights and the N tokens drawn at random.
  void for_each_case(const RowSelections& row, double temperature, const VisitCase& visit) const;

 private:
  [[nodiscard]] ErrorDouble twice_delta(const Row& row) const;

  const Head* head_;
  Eigen::VectorXd q_length_, k_length_, x_length_;  ///< ||q_t||, ||k_t||, ||x_t||
  Eigen::Index width_;                              ///< d_head
};

}  // namespace attn::gpt2
