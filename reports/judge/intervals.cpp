#include "reports/judge/intervals.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace attn::report {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of_mean(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / (n - 1) / n;
}

MeanInterval mean_interval(const std::vector<double>& values) {
  return two_way_interval(values, {});
}

MeanInterval two_way_interval(const std::vector<double>& by_head,
                              const std::vector<double>& by_row) {
  const double mean = mean_of(by_head);
  const double of_heads = variance_of_mean(by_head);
  const double of_rows = by_row.size() < 2 ? 0 : variance_of_mean(by_row);
  const double variance = of_heads + of_rows;
  double freedom = static_cast<double>(by_head.size() - 1);
  if (of_rows > 0) {
    freedom = variance * variance /
              (of_heads * of_heads / freedom +
               of_rows * of_rows / static_cast<double>(by_row.size() - 1));
  }
  const boost::math::students_t t(freedom);
  const double reach =
      boost::math::quantile(boost::math::complement(t, (1 - kMeanConfidence) / 2)) *
      std::sqrt(variance);
  return {.mean = mean, .low = mean - reach, .high = mean + reach};
}

double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x), mean_y = mean_of(y);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return products / squares;
}

MeanInterval percentile_interval(std::vector<double> values) {
  std::ranges::sort(values);
  const double last = static_cast<double>(values.size() - 1), tail = (1 - kMeanConfidence) / 2;
  const auto at = [&](double rank) { return values[static_cast<std::size_t>(rank)]; };
  return {.mean = at(std::floor(last / 2)),
          .low = at(std::floor(tail * last)),
          .high = at(std::ceil((1 - tail) * last))};
}

}  // namespace attn::report
