#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace attn {

/// Draws behind the intervals of one sampled expectation, one interval after another. Where looking
/// at more of them costs nothing, they double from the first to the last.
inline constexpr std::array<std::size_t, 4> kStages = {64, 256, 1024, 4096};

struct ConfidenceInterval {
  double lower;
  double upper;
};

/// Independent draws X_t of a number between 0 and `most`, of which the mean is asked.
///
/// By betting (Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by
/// betting): where m is the mean, and each l_t depends on earlier draws alone, the product of the
/// 1 + l_t (X_t - m) is a martingale, and ever exceeds 1/a with the probability a at most (Ville).
/// So an m at which it does is not the mean. One interval after another may be looked at.
class BoundedDraws {
 public:
  /// `rounding`: how far a value can be from what was drawn. `miss`: the probability, for each
  /// side, that interval() ever ends on the wrong side of the mean.
  BoundedDraws(double most, double rounding, double miss);

  /// A value outside of [0, most], by rounding, counts as the nearer end.
  void add(double value);

  /// Holds the mean; {0, most} where nothing better is known.
  [[nodiscard]] ConfidenceInterval interval() const;

  /// About what it would be after `draws` at best, if they had the mean and the variance of those
  /// so far.
  [[nodiscard]] ConfidenceInterval foreseen(std::size_t draws) const;

 private:
  [[nodiscard]] double mean() const { return sum_ / static_cast<double>(values_.size()); }
  [[nodiscard]] double scatter() const;

  double most_, rounding_, miss_, log_miss_;
  std::vector<double> values_;
  std::vector<double> bets_;  ///< l_t, before what an m allows
  double sum_{0}, squares_{0};
};

}  // namespace attn
