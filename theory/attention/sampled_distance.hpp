#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "theory/attention/distances.hpp"
#include "theory/attention/nonnegative_draws.hpp"
#include "theory/number/error_double.hpp"

namespace attn {

/// y_i = a_i x_i of L tokens, in double arithmetic.
struct Contributions {
  /// rows: [L][d].
  explicit Contributions(const std::vector<std::vector<ErrorDouble>>& rows);

  Distances::Points y;               ///< the middles
  std::vector<ErrorDouble> lengths;  ///< ||y_i||
  ErrorDouble length;                ///< the sum of `lengths`
  ErrorDouble error;                 ///< a bound on the error of all coordinates of `y` together
};

/// The mean of D over all sets of `count` tokens, set by set: fewer than 2^20 sets.
ErrorDouble enumerated_distance(const Contributions& of, std::size_t count);

/// E[D] = E sum_{i not in I} d_i, d_i = ||y_i - s||, s = sum_{j in I} y_j, for I uniform over the
/// sets of `count` = N tokens. Given that i is not in I, which has the probability p = (L-N)/L, let
/// m_i be the mean of y_i - s and r_i the root of the mean of d_i^2 (claim theorem1.random.sharp).
/// Draws show what is left of E[D] beyond three bounds:
/// - from below, E[D] = p sum_i m_i . u_i + E[V] for any u_i of length 1 at most, where
///   V = sum_{i not in I} (d_i - (y_i - s) . u_i) >= 0: least for u_i = m_i/||m_i||;
/// - from above, E[D] = p sum_i (r_i^2/b_i + b_i)/2 - E[W] for any b_i > 0, where
///   W = sum_{i not in I} (d_i - b_i)^2/(2 b_i) >= 0: least for b_i = r_i;
/// - and E[D] = (L-N)(N+1)/L sum_i ||y_i|| - E[C - D], where C = sum_{i not in I} (||y_i|| +
///   sum_{j in I} ||y_j||) >= D by the triangle inequality.
/// The draws depend on the number of tokens and on N alone.
class SampledDistance {
 public:
  /// L >= 2. 1 <= count < L. Has the first draws.
  SampledDistance(std::shared_ptr<const Contributions> of, std::size_t count);

  /// Draws as many sets again, so that there are twice as many draws; false where there are no
  /// more.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  void choose_guides();
  void draw(std::size_t draws);

  std::shared_ptr<const Contributions> of_;
  std::size_t count_;
  Distances distances_from_;
  Eigen::ArrayXd lengths_;             ///< ||y_i||
  Distances::Points directions_;       ///< u_i
  Eigen::RowVectorXd all_directions_;  ///< the sum of the u_i
  Eigen::ArrayXd along_;               ///< y_i . u_i
  Eigen::ArrayXd usual_, scale_;       ///< b_i, 1/(2 b_i)
  double k_;                           ///< k^2 = 4 (L+N+d+16) 2^-53
  double least_{}, most_{};            ///< E[D] - E[V] and E[D] + E[W]
  double most_by_lengths_;             ///< E[C]
  /// A bound on the rounding of E[D] - E[V], E[D] + E[W] and E[C] each, and of a draw beside that
  /// of its d_i.
  double rounding_{};
  NonNegativeDraws above_least_, below_most_, below_lengths_;  ///< V, W, C - D
  std::size_t drawn_{0};
  ConfidenceInterval interval_{};
};

}  // namespace attn
