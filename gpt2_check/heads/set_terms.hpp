#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gpt2_check/heads/geometry.hpp"
#include "gpt2_check/heads/row_weights.hpp"
#include "gpt2_check/heads/set_pass.hpp"
#include "theory/attention/distance.hpp"
#include "theory/attention/retrieval_counts.hpp"

namespace attn::gpt2 {

/// What attention puts out of a row, o = sum_i a_i x_i, and what its tokens contribute, as
/// enclosures. (1) is the first token of the order of the weights.
struct OutputTerms {
  ErrorDouble length;    ///< ||o||
  ErrorDouble longest;   ///< max_i ||x_i||
  ErrorDouble of_first;  ///< a_(1) ||x_(1)||
  ErrorDouble of_rest;   ///< the largest a_i ||x_i|| of the other tokens
  ErrorDouble variance;  ///< sum_i a_i ||x_i - o||^2
};

/// What bounds the rounding of o. `lengths`: ||x_i|| of the row's tokens.
double output_error(const RowWeights& weights, const double* lengths);

/// A sum of a_i x_i as computed.
struct ComputedSum {
  Eigen::Ref<const Eigen::RowVectorXd> value;
  double error;  ///< bound on ||computed - exact||
};

/// `lengths`: ||x_i|| of the row's tokens, as computed. `output`: o, with output_error().
OutputTerms output_terms(const RowWeights& weights, std::span<const double> lengths,
                         const ComputedSum& output);

/// What bounds the rounding of s = sum_{j in I} a_j x_j, and what else belongs to a set.
struct SelectedSum {
  double error{};         ///< bound on ||computed s - s||
  ErrorDouble mass{0.0};  ///< A = sum_{j in I} a_j
  double radius{};        ///< max_{j in I} ||x_j||, computed
};

/// How the tokens of a row lie about s.
struct Neighbourhood {
  double nearest_outside{};  ///< r^2, r = min_{i in O} ||a_i x_i - s||
  std::size_t within{};      ///< N_s = #{i in I : ||a_i x_i - s|| <= r}
  std::size_t inside{};      ///< #{i in I : ||a_i x_i - s|| < r}
  std::size_t intruders{};   ///< #{i in O : ||a_i x_i - s|| <= max_I ||a_j x_j - s||}
};

/// What the experiments read of a set: measured in double, not certified.
struct SetMeasures {
  DistanceTerms<double> theorem1;
  double centre{};  ///< ||c||, c = s/A
  double around{};  ///< sum_{i in O} a_i ||x_i - c||
  Neighbourhood near;
};

/// What only claims need of the tokens outside a set: how far D is from (L-N) ||s||.
struct OutsideTerms {
  ErrorDouble off_line;       ///< D - (L-N) ||s||
  ErrorDouble contributions;  ///< sum_{i in O} a_i ||x_i||
  ErrorDouble detour;         ///< contributions - off_line, without the digits that the difference
                              ///< loses where s is short
  ErrorDouble beyond_core;    ///< D - core, without the digits that the difference loses where A is
                              ///< near 1
  ErrorDouble net;            ///< ||sum_{i in O} (a_i x_i - s)|| = ||o - (L-N+1) s||
  ErrorDouble turn;  ///< above 0 only where two of a_i x_i - s, i in O, are not of one direction; 0
                     ///< where net is certainly below D
  ErrorDouble lost;  ///< ||e||, e = sum_{i in O} a_i x_i
  ErrorDouble renormalised;  ///< ||o - s/A|| = ||e - (1-A) s/A||
  ErrorDouble longest;       ///< max_{i in O} ||x_i||
  ErrorDouble off_sphere;    ///< max_{i in O} | ||a_i x_i - s|| - ||s|| |
  ErrorDouble largest;       ///< max_{i in O} a_i ||x_i||
  ErrorDouble margin;        ///< largest - off_sphere, with more digits where that is not certainly
                             ///< above 0
  ErrorDouble gap_squares;   ///< sum_{i in O} ||a_i x_i - s||^2
  ErrorDouble least_inside;  ///< min_{i in I} a_i
  ErrorDouble most_outside;  ///< max_{i in O} a_i
};

/// What is asked of the N largest weights alone.
struct TopTerms {
  CountBounds ball;        ///< N_s
  RetrievalCounts counts;  ///< counts of pairs out of order, and of their tokens
  SetMeasures measured;
  ErrorDouble next_renormalised;  ///< ||o - s/A|| of the N + 1 largest weights; NaN where it is not
                                  ///< certain which these are
  bool keeps_centre;  ///< whether certainly s/A is the same of these: the N + 1 have one x_i
};

/// Everything about one set of tokens of one row, as enclosures (claim theorem1.fixed).
struct SetTerms {
  DistanceTerms<ErrorDouble> theorem1;
  CentredTerms<ErrorDouble> centred;  ///< about c = s/A
  ErrorDouble centre;                 ///< ||c||
  OutsideTerms outside;
  std::optional<TopTerms> as_top;  ///< empty of another set
};

/// The terms of the sets of one row at a time.
///
/// The inner loops run over all tokens of the row at once, from the products x_i . s, so that a
/// head's rows cost a few matrix products; the bounds on the rounding are worked out in advance
/// (standard model, u = 2^-53) beside each formula.
class SetKernel {
 public:
  explicit SetKernel(const Geometry& geometry) : geometry_(&geometry) {}

  /// The sets of the first n tokens of `order`, for every n of `counts`, which increase. Row c of
  /// `sums` [counts, d] is overwritten with s of the set of counts[c] tokens.
  std::vector<SelectedSum> select(const RowWeights& weights, std::span<const std::size_t> order,
                                  std::span<const std::size_t> counts, Eigen::Ref<Rows> sums) const;

  /// The sums alone.
  void add_up(const RowWeights& weights, std::span<const std::size_t> order,
              std::span<const std::size_t> counts, Eigen::Ref<Rows> sums) const;

  /// What is measured of the set `selected` with the sum `s`. `along`: x_i . s of every token of
  /// the row, from a matrix product. `spread`: max_{i in O, j in I} ||x_i - x_j||^2, computed.
  [[nodiscard]] SetMeasures measures(const RowWeights& weights,
                                     std::span<const std::size_t> selected, const SelectedSum& set,
                                     const Eigen::Ref<const Eigen::RowVectorXd>& s,
                                     std::span<const double> along, double spread);

  /// The sums over the tokens that are not among the first n of `order`, for every n of `counts`,
  /// which increase: from the last on, so that nothing is subtracted. `sum`: that one, added up in
  /// any order. Row c of `sums` [counts, d] is overwritten; what bounds the rounding of each.
  std::vector<double> leave_out(const RowWeights& weights, std::span<const std::size_t> order,
                                std::span<const std::size_t> counts, Eigen::RowVectorXd sum,
                                Eigen::Ref<Rows> sums) const;

  /// All terms of the set `selected` with the sum `s`; `along` and `spread` as in measures().
  /// `output`: that of the head on this row; `rest`: its part of the tokens outside; `is_top`:
  /// whether the set is that of the largest weights.
  [[nodiscard]] SetTerms terms(const RowWeights& weights, std::span<const std::size_t> selected,
                               const SelectedSum& set,
                               const Eigen::Ref<const Eigen::RowVectorXd>& s,
                               std::span<const double> along, double spread,
                               const ComputedSum& output, const ComputedSum& rest, bool is_top);

 private:
  /// ||o - s/A|| of the tokens selected, of which `s` is the sum and `mass` the weight, and the
  /// next one of the order; `outside`: 1 - A. NaN where that token is not certain.
  [[nodiscard]] ErrorDouble with_next(const RowWeights& weights, std::size_t selected,
                                      const ErrorDouble& mass, const ErrorDouble& outside,
                                      const ComputedSum& s, const ComputedSum& rest) const;
  /// Whether the tokens selected, of which `mass` is the weight, and the next one of the order
  /// certainly have one x_i.
  [[nodiscard]] bool keeps_centre(const RowWeights& weights, std::span<const std::size_t> selected,
                                  const ErrorDouble& mass) const;
  /// The first token of the head that has the x_i of a token of the row.
  [[nodiscard]] std::size_t alike(const RowWeights& weights, std::size_t token) const;
  /// The first token of the head with the x_i that all tokens selected have; empty where they have
  /// several.
  [[nodiscard]] std::optional<std::size_t> shared_embedding(
      const RowWeights& weights, std::span<const std::size_t> selected) const;
  /// Whether claim distance.radius certainly is attained: all tokens selected have one x_i, and so
  /// has each token outside of which a_i ||x_i|| may be the largest, with a_i <= A. Then ||a_i x_i
  /// - s|| = ||s|| - a_i ||x_i|| there.
  [[nodiscard]] bool attains_radius(const SetPass& pass, const RowWeights& weights,
                                    std::span<const std::size_t> selected,
                                    const ErrorDouble& mass) const;
  SetPass pass_of(const RowWeights& weights, std::span<const std::size_t> selected,
                  const SelectedSum& set, const Eigen::Ref<const Eigen::RowVectorXd>& s,
                  std::span<const double> along);
  [[nodiscard]] SetMeasures measured(const SetPass& pass, const SetTotals<double>& totals,
                                     std::span<const std::size_t> selected, const SelectedSum& set,
                                     double spread) const;

  const Geometry* geometry_;
  std::vector<double> outside_, above_, least_above_, most_above_, gap_, gap_error_;
};

}  // namespace attn::gpt2
