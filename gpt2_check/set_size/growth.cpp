#include "gpt2_check/set_size/growth.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "reports/judge/intervals.hpp"
#include "theory/base/quantile.hpp"
#include "theory/base/random.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

double relative_growth(std::span<const double> kept, std::span<const double> whole) {
  return report::mean_of(kept) / report::mean_of(whole) - 1;
}

std::optional<std::pair<double, double>> growth_interval(std::span<const double> kept,
                                                         std::span<const double> whole,
                                                         std::uint64_t seed) {
  constexpr std::size_t kReplicates = 2000;
  const std::size_t windows = kept.size();
  if (windows < 2) return {};
  std::mt19937_64 random(seed);
  std::vector<double> replicates;
  std::vector<double> drawn_kept(windows);
  std::vector<double> drawn_whole(windows);
  for (std::size_t r = 0; r < kReplicates; ++r) {
    for (std::size_t w = 0; w < windows; ++w) {
      const std::size_t from = below(random, windows);
      drawn_kept[w] = kept[from];
      drawn_whole[w] = whole[from];
    }
    replicates.push_back(relative_growth(drawn_kept, drawn_whole));
  }
  std::ranges::sort(replicates);
  return std::pair(quantile(replicates, 0.025), quantile(replicates, 0.975));
}

double standard_error(std::span<const double> values) {
  return std::sqrt(report::variance_of_mean(values));
}

bool are_enough_orders(std::span<const double> growths) {
  if (growths.size() < kFirstOrders) return false;
  const double mean = report::mean_of(growths);
  double distance = kInfinity;
  for (const double tolerance : kTolerances) {
    distance = std::min(distance, std::abs(mean - tolerance));
  }
  return standard_error(growths) <= distance / 4;
}

}  // namespace attn::gpt2
