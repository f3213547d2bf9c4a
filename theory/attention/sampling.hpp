#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "theory/attention/bounded_draws.hpp"
#include "theory/attention/distances.hpp"
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

/// E[D] = E sum_{i not in I} ||y_i - s||, s = sum_{j in I} y_j, for I uniform over the sets of
/// `count` = N tokens, from what two intervals of the same draws have in common:
/// - of D, which is between 0 and the sum of all ||y_i|| and of L-N times the N largest;
/// - of how far D is below C = sum_{i not in I} ||y_i|| + (L-N) sum_{j in I} ||y_j||, of which the
///   mean is known: (L-N)(N+1)/L sum_i ||y_i||. By the triangle inequality it is between 0 and
///   twice the sum of all ||y_i|| but the largest, h, and of L-N times the N largest but h. So one
///   token of nearly all the weight leaves little to be drawn.
/// Each ||y_i - s||^2 is ||y_i||^2 + ||s||^2 - 2 y_i . s: what that cancels is far below what so
/// many draws can see. The draws depend on the number of tokens and on N alone.
class SampledDistance {
 public:
  /// y: [L][d], L >= 2. 1 <= count < L. Draws the first stage.
  SampledDistance(const std::vector<std::vector<ErrorDouble>>& y, std::size_t count);

  /// Draws the next stage; false where there is none.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

  /// About what the interval would be after the last stage: whether it is worth while to draw more.
  [[nodiscard]] ConfidenceInterval foreseen() const;

 private:
  void bound(const std::vector<ErrorDouble>& lengths, const ErrorDouble& errors);
  void draw_set(std::span<Eigen::Index> set);
  void draw();
  [[nodiscard]] ConfidenceInterval within(const ConfidenceInterval& distance,
                                          const ConfidenceInterval& below_most) const;

  std::mt19937_64 random_;
  std::size_t count_;
  Distances::Points y_;     ///< the middles
  Eigen::ArrayXd lengths_;  ///< ||y_i||
  double total_length_{};   ///< the sum of them
  std::optional<Distances> distances_from_;
  std::vector<Eigen::Index> tokens_;
  ErrorDouble mean_of_most_;                ///< E[C]
  std::optional<BoundedDraws> distances_;   ///< D
  std::optional<BoundedDraws> below_most_;  ///< C - D
  std::size_t drawn_{0};
  std::size_t stage_{0};
  ConfidenceInterval interval_{};
};

/// The mean over i of P(||sum_{j != i} radii_j u_j|| <= r), u_j independent and uniform on the unit
/// sphere of R^d, from draws of a token i and of directions: a Clopper-Pearson interval. A draw
/// whose length double arithmetic cannot tell from r counts on both sides.
///
/// By symmetry only the angle of each step to the sum so far matters: of a uniform direction one
/// coordinate is drawn. Its distribution differs from the exact one by rounding only, which is far
/// below what so many draws can see. The directions of the j-th step depend on d and j alone.
class SampledShare {
 public:
  /// dimension >= 1. Draws the first stage.
  SampledShare(const std::vector<ErrorDouble>& radii, const ErrorDouble& r, std::size_t dimension);

  /// Draws the next stage; false where there is none.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  void draw();

  std::mt19937_64 random_;
  std::vector<double> radii_;  ///< their middles, the largest first
  std::vector<double> rest_;   ///< of those that follow, the sum at most
  double error_{};             ///< what a sum of such steps is off by at most, but for rounding
  double least_reach_, most_reach_;  ///< r
  std::size_t dimension_;
  std::size_t certainly_{0}, possibly_{0};  ///< draws within r
  std::size_t drawn_{0};
  std::size_t stage_{0};
  ConfidenceInterval interval_{};
};

}  // namespace attn
