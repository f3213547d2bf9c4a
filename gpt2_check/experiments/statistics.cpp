#include "gpt2_check/experiments/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "theory/base/quantile.hpp"

namespace attn::gpt2 {

report::MaybeSpread summary(std::vector<double> values) {
  const bool finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  if (values.empty() || !finite) return std::nullopt;
  std::ranges::sort(values);
  return report::Spread{.mean = report::mean_of(values),
                        .min = values.front(),
                        .q1 = quantile(values, 0.25),
                        .median = quantile(values, 0.5),
                        .q3 = quantile(values, 0.75),
                        .max = values.back()};
}

double larger(double a, double b) {
  return b <= a || std::isnan(a) ? a : b;
}

std::int64_t ks_deviation(std::vector<double> a, std::vector<double> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::int64_t largest = 0;
  auto at_a = a.begin();
  auto at_b = b.begin();
  while (at_a != a.end() && at_b != b.end()) {
    const double here = std::min(*at_a, *at_b);
    while (at_a != a.end() && *at_a == here) ++at_a;
    while (at_b != b.end() && *at_b == here) ++at_b;
    largest = std::max(
        largest, std::abs((at_a - a.begin()) * std::ssize(b) - (at_b - b.begin()) * std::ssize(a)));
  }
  return largest;
}

double ks_exact_p(std::size_t n, std::size_t m, std::int64_t deviation) {
  const auto rows = static_cast<std::int64_t>(n);
  const auto columns = static_cast<std::int64_t>(m);
  // met[j]: the chance that a path drawn from those of (i, j) to (n, m) meets such a point. The
  // next observation belongs to the first sample with chance (n - i) / (n + m - i - j).
  std::vector<double> met(m + 1, 0.0);
  for (std::int64_t i = rows; i >= 0; --i) {
    double right = 0;
    for (std::int64_t j = columns; j >= 0; --j) {
      double& here = met[static_cast<std::size_t>(j)];
      const std::int64_t left_over = rows + columns - i - j;
      if (std::abs(i * columns - j * rows) >= deviation) {
        here = 1;
      } else if (left_over > 0) {
        here = (static_cast<double>(rows - i) * here + static_cast<double>(columns - j) * right) /
               static_cast<double>(left_over);
      }
      right = here;
    }
  }
  return met[0];
}

}  // namespace attn::gpt2
