#pragma once

#include <cstddef>
#include <vector>

namespace attn {

/// Draws behind the first interval of a sampled expectation and the last; from one interval to the
/// next they double.
inline constexpr std::size_t kFirstDraws = 64, kMostDraws = 4096;

/// The least probability with which all intervals of one sampled expectation hold the exact value.
inline constexpr double kConfidence = 1 - 1e-9;

struct ConfidenceInterval {
  double lower;
  double upper;
};

/// Independent draws X_t >= 0, of which it is asked how large the mean is at least. That they have
/// a bound is not needed.
///
/// By one-sided betting (Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables
/// by betting): where the mean is m at most, 0 <= l_t <= 1/m, and l_t depends on earlier draws
/// alone, the product of the 1 + l_t (X_t - m) is a supermartingale >= 0, and ever exceeds 1/a with
/// the probability a at most (Ville). So the mean is above m where it does: of any m, as the
/// product falls with it. One bound after another may be looked at.
class NonNegativeDraws {
 public:
  /// `miss`: the probability, at most, that least_mean() is ever above the mean.
  explicit NonNegativeDraws(double miss);

  /// Adds a draw. `value`: at most what was drawn, what rounding may have raised it by taken off;
  /// below zero it counts as zero.
  void add(double value);

  /// What the mean is at least; 0 where nothing better is known.
  [[nodiscard]] double least_mean() const;

 private:
  double miss_, log_miss_;
  std::vector<double> values_;
  std::vector<double> bets_;  ///< l_t, before what an m allows
  double sum_{0}, squares_{0}, largest_{0};
};

}  // namespace attn
