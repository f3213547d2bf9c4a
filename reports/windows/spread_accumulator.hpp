#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/record/measurements.hpp"
#include "reports/windows/bootstrap.hpp"
#include "reports/windows/quantiles.hpp"

namespace attn::report {

/// One number of each head in each window, summed up in bounded memory. Windows are added in their
/// order, which alone the rounding of the sums depends on.
class SpreadAccumulator {
 public:
  /// The numbers of one window, NaN for a head that has none; nothing where no head has one.
  void add(const Resampling& resampling, const Resampling::Weights& window,
           std::span<const double> by_head);

  /// How many numbers there were.
  [[nodiscard]] std::uint64_t count() const { return cells_.count(); }

  /// Empty where nothing was added. Mean, least and largest are exact but for rounding, quartiles
  /// and medians within kQuantileError; the interval is there from the second window on.
  [[nodiscard]] MaybeSpread spread() const;

 private:
  Quantiles cells_, means_;
  double sum_{0};
  ReweightedMean mean_;
};

}  // namespace attn::report
