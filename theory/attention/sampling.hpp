#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "theory/attention/distances.hpp"
#include "theory/attention/nonnegative_draws.hpp"
#include "theory/number/error_double.hpp"

namespace attn {

/// The least probability with which all intervals of one sampled expectation hold the exact value.
inline constexpr double kConfidence = 1 - 1e-9;

/// More sets than this are sampled, not enumerated.
inline constexpr std::size_t kMostSets = 20'000;

/// Nor are sets of tokens of this many coordinates in all together.
inline constexpr std::size_t kMostAdded = 5'000'000;

/// C(n, k), or any number above kMostSets where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k);

/// Whether the mean over all sets of `count` of L tokens is taken set by set. `width`: d.
bool is_enumerated(std::size_t tokens, std::size_t count, std::size_t width);

/// Calls visit(selected) for every set of `count` of the tokens 0..n-1, as flags.
template <class Visit>
void for_each_set(std::size_t n, std::size_t count, Visit visit) {
  std::vector<bool> selected(n);
  std::fill_n(selected.begin(), count, true);
  do {
    visit(selected);
  } while (std::prev_permutation(selected.begin(), selected.end()));
}

/// y_i = a_i x_i of L tokens, in double arithmetic.
struct Contributions {
  /// rows: [L][d].
  explicit Contributions(const std::vector<std::vector<ErrorDouble>>& rows);

  Distances::Points y;               ///< the middles
  std::vector<ErrorDouble> lengths;  ///< ||y_i||
  ErrorDouble length;                ///< the sum of them
  ErrorDouble error;                 ///< of all coordinates together
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

  /// Has twice as many draws; false where there are no more.
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
  Eigen::RowVectorXd all_directions_;  ///< their sum
  Eigen::ArrayXd along_;               ///< y_i . u_i
  Eigen::ArrayXd usual_, scale_;       ///< b_i, 1/(2 b_i)
  double k_;                           ///< k^2 = 4 (L+N+d+16) 2^-53
  double least_{}, most_{};            ///< E[D] - E[V] and E[D] + E[W]
  double most_by_lengths_;             ///< E[C]
  double rounding_{};  ///< of each of the three, and of a draw beside that of its d_i
  NonNegativeDraws above_least_, below_most_, below_lengths_;  ///< V, W, C - D
  std::size_t drawn_{0};
  ConfidenceInterval interval_{};
};

/// The mean over i of P(X_i <= r), X_i = ||sum_{j != i} radii_j u_j||, u_j independent and uniform
/// on the unit sphere of R^d.
///
/// X_i^2 has the mean s2_i and the variance v_i (claim theorem2.lower.sharp). Call X_i far where
/// r^2 is between X_i^2 and s2_i. What indicates that is at most ((X_i^2 - c)/(r^2 - c))^2,
/// c = s2_i - v_i/(r^2 - s2_i), whose mean is Cantelli's bound. Draws of a token and of directions
/// show how far the square is above what it bounds. Where its mean is not known to be below 1/2, 1
/// is in its place, and X_i is far where it is above r. Where double arithmetic cannot tell a
/// length from r, the draw counts as what says less; bounds that contradict each other say nothing.
///
/// By symmetry only the angle of each step to the sum so far matters: of a uniform direction one
/// coordinate is drawn. Its distribution differs from the exact one by rounding only, which is far
/// below what so many draws can see. The directions of the j-th step depend on d and j alone.
class SampledShare {
 public:
  /// radii >= 0, at least one; r >= 0; dimension >= 1. Has the first draws.
  SampledShare(const std::vector<ErrorDouble>& radii, const ErrorDouble& r, std::size_t dimension);

  /// Has twice as many draws; false where there are no more.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  /// Of X_i: what is at least 1 where it is far, with its mean.
  struct Majorant {
    bool far_is_beyond{true};              ///< r; else within
    double level{1}, scale{0}, centre{0};  ///< it is level + (scale (X_i^2 - centre))^2 at least
    ErrorDouble mean{1.0};

    /// The least of it where least <= X_i <= most.
    [[nodiscard]] double at_least(double least, double most) const;
  };
  static Majorant majorant(const ErrorDouble& mean, const ErrorDouble& variance,
                           const ErrorDouble& allowed);
  void draw();

  std::mt19937_64 random_;
  std::vector<double> radii_;  ///< their middles
  double error_{};             ///< what a sum of such steps is off by at most, but for rounding
  double least_reach_, most_reach_;  ///< r
  std::size_t dimension_;
  std::vector<Majorant> majorants_;
  ErrorDouble least_, most_;                   ///< what is known without a draw
  NonNegativeDraws above_least_, below_most_;  ///< what is left
  std::size_t drawn_{0};
  ConfidenceInterval interval_{};
};

}  // namespace attn
