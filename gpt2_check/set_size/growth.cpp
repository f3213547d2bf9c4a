#include "gpt2_check/set_size/growth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "theory/base/quantile.hpp"
#include "theory/base/random.hpp"

namespace attn::gpt2 {

double mean_of(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

double relative_growth(std::span<const double> kept, std::span<const double> whole) {
  return mean_of(kept) / mean_of(whole) - 1;
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
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto size = static_cast<double>(values.size());
  return std::sqrt(squares / (size - 1) / size);
}

bool are_enough_orders(std::span<const double> growths) {
  if (growths.size() < kFirstOrders) return false;
  const double mean = mean_of(growths);
  double distance = std::numeric_limits<double>::infinity();
  for (const double tolerance : kTolerances) {
    distance = std::min(distance, std::abs(mean - tolerance));
  }
  return standard_error(growths) <= distance / 4;
}

}  // namespace attn::gpt2
