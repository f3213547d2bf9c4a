#include "gpt2_check/experiments/summary.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "theory/base/quantile.hpp"

namespace attn::gpt2 {

report::MaybeSpread summary(std::vector<double> values) {
  const bool finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  if (values.empty() || !finite) return std::nullopt;
  std::vector<double> by_head = values;
  std::ranges::sort(values);
  double sum = 0;
  for (const double value : values) sum += value;
  return report::Spread{.mean = sum / static_cast<double>(values.size()),
                        .min = values.front(),
                        .q1 = quantile(values, 0.25),
                        .median = quantile(values, 0.5),
                        .q3 = quantile(values, 0.75),
                        .max = values.back(),
                        .by_head = std::move(by_head)};
}

MeanInterval mean_interval(const std::vector<double>& values, double confidence) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  const boost::math::students_t t(n - 1);
  const double reach = boost::math::quantile(boost::math::complement(t, (1 - confidence) / 2));
  return {.mean = mean, .low = mean - reach * error, .high = mean + reach * error};
}

double larger(double a, double b) {
  return b <= a || std::isnan(a) ? a : b;
}

}  // namespace attn::gpt2
