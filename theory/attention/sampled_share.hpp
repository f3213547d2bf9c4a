#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "theory/attention/nonnegative_draws.hpp"
#include "theory/number/error_double.hpp"

namespace attn {

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

  /// Draws as often again, so that there are twice as many draws; false where there are no more.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  /// A function of X_i that is at least 1 where X_i is far, with its mean.
  struct Majorant {
    bool far_is_beyond{true};  ///< whether X_i is far beyond r; else within
    /// The function is level + (scale (X_i^2 - centre))^2 at least.
    double level{1}, scale{0}, centre{0};
    ErrorDouble mean{1.0};

    /// The least of it where least <= X_i <= most.
    [[nodiscard]] double at_least(double least, double most) const;
  };
  static Majorant majorant(const ErrorDouble& mean, const ErrorDouble& variance,
                           const ErrorDouble& allowed);
  void draw();

  std::mt19937_64 random_;
  std::vector<double> radii_;  ///< the middles of the radii
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
