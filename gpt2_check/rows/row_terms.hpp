#pragma once

#include <functional>
#include <optional>

#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/heads/set_terms.hpp"
#include "gpt2_check/rows/row.hpp"
#include "theory/attention/dispersion.hpp"
#include "theory/attention/jacobian.hpp"
#include "theory/attention/random_set.hpp"

namespace attn::gpt2 {

/// The terms of N tokens drawn at random, with what is known of E so far.
struct RandomSets {
  RandomSetTerms<ErrorDouble> terms;
  bool sampled;  ///< E is enclosed by a confidence interval
};

/// What the kernels read of one row at one temperature T, as enclosures.
struct RowTerms {
  /// `twice_delta`: 2 ||q|| max_j ||k_j|| / T. `weights` must outlive the terms.
  RowTerms(const RowWeights& weights, double temperature, ErrorDouble twice_delta,
           const OutputTerms& output);

  const RowWeights* weights;
  ErrorDouble temperature;
  ErrorDouble twice_delta;
  SlopeTerms<ErrorDouble> slopes;           ///< the terms of softmax, F over a common factor
  DispersionTerms<ErrorDouble> dispersion;  ///< a = max |l_i|, F over a common factor
  /// The two largest weights first; empty where the two largest are not certain, and so is `norm`.
  std::optional<SortedWeights<ErrorDouble>> sorted;
  std::optional<ErrorDouble> norm;  ///< ||J|| of softmax
  ErrorDouble range;                ///< (max l - min l)/T
  Deviation<ErrorDouble> deviation;
  struct {
    ErrorDouble value;  ///< H(a)
    ErrorDouble least;  ///< the bound of entropy.lower
  } entropy;
  ErrorDouble squares;  ///< sum_i a_i^2
  /// What the last tokens do to the largest weight, those that come after the others: of the last
  /// half of the row, or of the last token.
  struct Appended {
    std::size_t count;       ///< n
    ErrorDouble peak;        ///< the largest weight before them
    ErrorDouble peak_after;  ///< that of all
    ErrorDouble kept_after;  ///< the largest of the others then
    ErrorDouble at_mean;  ///< exp((m - l_(1))/T), m their mean logit and l_(1) the largest before
    ErrorDouble rise;     ///< peak_after - peak, without the digits that the difference loses
  };
  Appended half, last;
  const Appended* appended{nullptr};  ///< `half` or `last`, as the case has; null where it has none
  OutputTerms output;
  std::size_t selected{0};  ///< N; 0 where the claim has no set
  /// The terms of the claim's set of tokens. Null where the claim has no set, or speaks of the N
  /// largest weights and it is not certain which they are.
  const SetTerms* set{nullptr};
  const RandomSets* random{nullptr};  ///< null where the claim does not draw a set

 private:
  void add_up();
  [[nodiscard]] Appended with_last(std::size_t count) const;
};

/// Told of a case of a row: which claims read it, its terms and its place.
using VisitCase = std::function<void(const InputKind&, const RowTerms&, const RowCase&)>;

/// What the terms of a head's rows need of the head.
class HeadTerms {
 public:
  /// `lengths`: the numbers of tokens L of the rows on which claims are decided that take an
  /// expectation; empty where there is none. `head` must outlive the terms.
  HeadTerms(const Head& head, std::vector<std::int64_t> lengths);

  /// Every case that one row has at the temperature T, for each kind of row_claims(): the row once,
  /// in all of its variants_of() the kind, and once for each other normaliser of Lemma 2, and for
  /// each N the N largest weights and the N tokens drawn at random; where it has_few() tokens also
  /// those of the N largest a_i ||x_i||, for set_embeddings; where its length is one of `lengths`,
  /// also all random sets of N tokens and the N largest weights on a sphere.
  void for_each_case(const RowSelections& row, double temperature, const VisitCase& visit) const;

 private:
  void visit_expectations(RowTerms terms, const RowSelections& row, RowCase at,
                          const VisitCase& visit) const;
  /// The tokens of the n largest a_i ||x_i||, as doubles tell.
  [[nodiscard]] std::vector<std::size_t> largest_contributions(const RowWeights& weights,
                                                               const Row& row, std::size_t n) const;
  [[nodiscard]] ErrorDouble twice_delta(const Row& row) const;

  const Head* head_;
  std::vector<std::int64_t> lengths_;
  Eigen::VectorXd q_length_, k_length_;  ///< ||q_t||, ||k_t||
  Eigen::Index width_;                   ///< d_head
};

}  // namespace attn::gpt2
