#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "theory/number/error_double.hpp"

namespace attn {

/// The least probability with which all intervals of one sampled expectation hold the exact value.
inline constexpr double kConfidence = 1 - 1e-9;

/// Draws behind the intervals of one sampled expectation, one interval after another.
inline constexpr std::array<std::size_t, 3> kStages = {64, 512, 4096};

/// More sets than this are sampled, not enumerated.
inline constexpr std::size_t kMostSets = 20'000;

/// Nor are sets of tokens of this many coordinates in all together.
inline constexpr std::size_t kMostAdded = 5'000'000;

struct ConfidenceInterval {
  double lower;
  double upper;
};

/// C(n, k), or any number above kMostSets where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k);

/// Whether the mean over all sets of `count` of L tokens is taken set by set. `width`: d.
bool is_enumerated(std::size_t tokens, std::size_t count, std::size_t width);

/// E[D] = E sum_{i not in I} ||y_i - sum_{j in I} y_j|| for I uniform over the sets of `count`
/// tokens, by the empirical Bernstein bound of Maurer and Pontil (2009) with D between 0 and the
/// sum of all ||y_i|| and of L-N times the N largest. The draws depend on the number of tokens and
/// on `count` alone.
class SampledDistance {
 public:
  /// y: [L][d], L >= 2. 1 <= count < L. Draws the first stage.
  SampledDistance(const std::vector<std::vector<ErrorDouble>>& y, std::size_t count);

  /// Draws the next stage; false where there is none.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  [[nodiscard]] double draw_distance();
  [[nodiscard]] ConfidenceInterval interval_of_draws() const;

  using Vectors = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  std::mt19937_64 random_;
  std::size_t count_;
  Vectors y_;  ///< the middles
  std::vector<std::size_t> tokens_;
  double most_{};      ///< D is at most this
  double rounding_{};  ///< how far a computed D, and a mean of them, can be from the exact one
  std::vector<double> values_;
  std::size_t stage_{0};
  ConfidenceInterval interval_{};
};

/// The mean over i of P(||sum_{j != i} radii_j u_j|| <= r), u_j independent and uniform on the unit
/// sphere of R^d, from draws of a token i and of directions: a Clopper-Pearson interval. A draw
/// whose length double arithmetic cannot tell from r counts on both sides.
///
/// By symmetry only the angle of each step to the sum so far matters: of a uniform direction one
/// coordinate is drawn. Its distribution differs from the exact one by rounding only, which is far
/// below what so many draws can see.
class SampledShare {
 public:
  /// dimension >= 1. Draws the first stage.
  SampledShare(std::vector<ErrorDouble> radii, const ErrorDouble& r, std::size_t dimension);

  /// Draws the next stage; false where there is none.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  void draw();

  std::mt19937_64 random_;
  std::vector<ErrorDouble> radii_;
  ErrorDouble reach_;  ///< r^2
  std::size_t dimension_;
  std::size_t certainly_{0}, possibly_{0};  ///< draws within r
  std::size_t drawn_{0};
  std::size_t stage_{0};
  ConfidenceInterval interval_{};
};

}  // namespace attn
