#include "theory/attention/bounded_draws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "theory/number/elementary.hpp"

namespace attn {
namespace {

/// The share of a capital that one bet may lose. The best one is 1 where draws hardly vary; less
/// keeps the capital above 0.
constexpr double kMostLost = 0.95;

/// More than the rounding of all factors of a capital.
constexpr double kRoundingOfCapital = 1 + 0x1p-20;

}  // namespace

BoundedDraws::BoundedDraws(double most, double rounding, double miss)
    : most_(most), rounding_(rounding), miss_(miss), log_miss_(reproducible::log(miss)) {}

/// sum_t (X_t - mean)^2
double BoundedDraws::scatter() const {
  return values_.empty() ? 0 : std::max(squares_ - sum_ * mean(), 0.0);
}

/// About what is best for the interval that the value is drawn for, given the variance of what came
/// before, and of one value that is half of the most away from the mean.
void BoundedDraws::add(double value) {
  const auto before = static_cast<double>(values_.size());
  const auto end =
      static_cast<double>(std::max(kStages.front(), std::bit_ceil(values_.size() + 1)));
  const double variance = (most_ * most_ / 4 + scatter()) / (before + 1);
  bets_.push_back(std::sqrt(-2 * log_miss_ / (variance * end)));
  values_.push_back(std::clamp(value, 0.0, most_));
  sum_ += values_.back();
  squares_ += values_.back() * values_.back();
}

/// Bets that the mean is above `lower`, and below `upper`: the capital falls with m on one side of
/// the mean and grows on the other, so that halving finds where it is enough. Both sides at once,
/// for each product waits for the one before.
ConfidenceInterval BoundedDraws::interval() const {
  constexpr int kHalvings = 16;
  ConfidenceInterval found{.lower = 0, .upper = most_};
  double too_large = mean();
  double too_small = mean();
  for (int i = 0; i < kHalvings; ++i) {
    const double lower = found.lower + (too_large - found.lower) / 2;
    const double upper = found.upper - (found.upper - too_small) / 2;
    const double most_above = kMostLost / (lower + rounding_);
    const double most_below = kMostLost / (most_ - upper + 2 * rounding_);
    double above = 1, below = 1, most_won_above = 0, most_won_below = 0;
    for (std::size_t t = 0; t < values_.size(); ++t) {
      above *= 1 + std::min(bets_[t], most_above) * (values_[t] - rounding_ - lower);
      below *= 1 + std::min(bets_[t], most_below) * (upper - (values_[t] + rounding_));
      most_won_above = std::max(most_won_above, above);
      most_won_below = std::max(most_won_below, below);
    }
    (most_won_above * miss_ > kRoundingOfCapital ? found.lower : too_large) = lower;
    (most_won_below * miss_ > kRoundingOfCapital ? found.upper : too_small) = upper;
  }
  return found;
}

ConfidenceInterval BoundedDraws::foreseen(std::size_t draws) const {
  const double share = -log_miss_ / static_cast<double>(draws);
  const double variance = scatter() / static_cast<double>(values_.size());
  const double spread = std::sqrt(2 * variance * share);
  return {.lower = mean() - std::max(mean() * share, spread),
          .upper = mean() + std::max((most_ - mean()) * share, spread)};
}

}  // namespace attn
