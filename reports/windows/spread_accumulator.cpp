#include "reports/windows/spread_accumulator.hpp"

#include <cmath>

namespace attn::report {

void SpreadAccumulator::add(const Resampling& resampling, const Resampling::Weights& window,
                            std::span<const double> by_head) {
  double sum = 0;
  std::uint64_t heads = 0;
  for (const double value : by_head) {
    if (std::isnan(value)) continue;
    cells_.add(value);
    sum += value;
    ++heads;
  }
  if (heads == 0) return;
  sum_ += sum;
  means_.add(sum / static_cast<double>(heads));
  mean_.add(resampling, window, by_head);
}

MaybeSpread SpreadAccumulator::spread() const {
  if (count() == 0) return std::nullopt;
  OverWindows windows{.min = means_.least(),
                      .q1 = means_.quantile(0.25),
                      .median = means_.quantile(0.5),
                      .q3 = means_.quantile(0.75),
                      .max = means_.most()};
  const auto interval = mean_.interval();
  if (interval && means_.count() > 1) {
    windows.low = interval->low;
    windows.high = interval->high;
  }
  return Spread{.mean = sum_ / static_cast<double>(count()),
                .min = cells_.least(),
                .q1 = cells_.quantile(0.25),
                .median = cells_.quantile(0.5),
                .q3 = cells_.quantile(0.75),
                .max = cells_.most(),
                .windows = windows};
}

}  // namespace attn::report
