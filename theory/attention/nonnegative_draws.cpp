#include "theory/attention/nonnegative_draws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "theory/number/elementary.hpp"

namespace attn {
namespace {

/// The share of a capital that one bet may lose. The best one is 1 where draws hardly vary; less
/// keeps the capital above 0.
constexpr double kMostLost = 0.95;

/// The least variance that is used: of less, squares have underflowed.
constexpr double kLeastVariance = std::numeric_limits<double>::min();

/// More than the rounding of all factors of a capital.
constexpr double kRoundingOfCapital = 1 + 0x1p-20;

}  // namespace

NonNegativeDraws::NonNegativeDraws(double miss) : miss_(miss), log_miss_(reproducible::log(miss)) {}

/// About what is best for the bound that the value is drawn for, given the variance of what came
/// before, and of one value that is half of the largest away from the mean.
void NonNegativeDraws::add(double value) {
  const auto before = static_cast<double>(values_.size());
  const auto end = static_cast<double>(std::max(kFirstDraws, std::bit_ceil(values_.size() + 1)));
  const double scatter = before == 0 ? 0 : std::max(squares_ - sum_ * (sum_ / before), 0.0);
  const double variance = (largest_ * largest_ / 4 + scatter) / (before + 1);
  bets_.push_back(variance >= kLeastVariance ? std::sqrt(-2 * log_miss_ / (variance * end)) : 0);
  values_.push_back(value < 0 ? 0 : value);
  sum_ += values_.back();
  squares_ += values_.back() * values_.back();
  largest_ = std::max(largest_, values_.back());
}

/// A factor is 1 + b (x - m) or 1 - c + c x/m with x >= 0, so that the capital falls with m, and
/// halving finds where it is enough.
double NonNegativeDraws::least_mean() const {
  constexpr int kHalvings = 24;
  double found = 0;
  double too_large = sum_ / static_cast<double>(values_.size());
  for (int i = 0; i < kHalvings; ++i) {
    const double tried = found + (too_large - found) / 2;
    const double most = kMostLost / tried;
    double capital = 1, most_won = 0;
    for (std::size_t t = 0; t < values_.size(); ++t) {
      capital *= 1 + std::min(bets_[t], most) * (values_[t] - tried);
      most_won = std::max(most_won, capital);
    }
    (most_won * miss_ > kRoundingOfCapital ? found : too_large) = tried;
  }
  return found;
}

}  // namespace attn
