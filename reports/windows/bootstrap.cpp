#include "reports/windows/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "theory/base/quantile.hpp"

namespace attn::report {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the result hangs on every
/// bit of the input.
std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// P(X <= k) 2^53 of a Poisson variable of mean 1, k = 0, 1, ...: integers, so that no machine
/// rounds them its own way. Beyond the last nothing is left of 2^53.
constexpr std::uint64_t kDistribution[] = {
    3313563428353947, 6627126856707895, 8283908570884869, 8836169142277194, 8974234285125275,
    9001847313694891, 9006449485123161, 9007106938184342, 9007189119816990, 9007198251109506,
    9007199164238758, 9007199247250508, 9007199254168154, 9007199254700280, 9007199254738289,
    9007199254740823, 9007199254740982, 9007199254740991};

}  // namespace

double bootstrap_weight(std::uint64_t seed, std::size_t replicate, Resampled what,
                        std::uint64_t index) {
  std::uint64_t bits = mixed(seed);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(replicate), static_cast<std::uint64_t>(what), index}) {
    bits = mixed(bits ^ part);
  }
  const auto* const at = std::ranges::upper_bound(kDistribution, bits >> 11);
  return static_cast<double>(at - std::begin(kDistribution));
}

Resampling::Resampling(std::uint64_t seed, std::size_t heads) : seed_(seed), heads_(heads) {
  for (std::size_t b = 0; b < kReplicates; ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      weights_.push_back(bootstrap_weight(seed, b, Resampled::heads, h));
    }
  }
}

Resampling::Weights Resampling::of_window(std::uint64_t window) const {
  Weights weights{};
  for (std::size_t b = 0; b < kReplicates; ++b) {
    weights[b] = bootstrap_weight(seed_, b, Resampled::windows, window);
  }
  return weights;
}

std::span<const double> Resampling::of_heads(std::size_t replicate) const {
  return std::span(weights_).subspan(replicate * heads_, heads_);
}

void SpreadAccumulator::add_replicates(const Resampling& resampling,
                                       const Resampling::Weights& window,
                                       std::span<const double> by_head) {
  for (std::size_t b = 0; b < kReplicates; ++b) {
    if (window[b] == 0) continue;
    const std::span<const double> heads = resampling.of_heads(b);
    double weight = 0;
    double sum = 0;
    for (std::size_t h = 0; h < by_head.size(); ++h) {
      if (std::isnan(by_head[h])) continue;
      weight += heads[h];
      sum += heads[h] * by_head[h];
    }
    weights_[b] += window[b] * weight;
    sums_[b] += window[b] * sum;
  }
}

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
  add_replicates(resampling, window, by_head);
}

MaybeSpread SpreadAccumulator::spread() const {
  if (cells_.count() == 0) return std::nullopt;
  OverWindows windows{.min = means_.least(),
                      .q1 = means_.quantile(0.25),
                      .median = means_.quantile(0.5),
                      .q3 = means_.quantile(0.75),
                      .max = means_.most()};
  std::vector<double> replicates;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    if (weights_[b] > 0) replicates.push_back(sums_[b] / weights_[b]);
  }
  if (replicates.size() > 1 && means_.count() > 1) {
    std::ranges::sort(replicates);
    constexpr double kTail = (1 - kWindowConfidence) / 2;
    windows.low = quantile(replicates, kTail);
    windows.high = quantile(replicates, 1 - kTail);
  }
  return Spread{.mean = sum_ / static_cast<double>(cells_.count()),
                .min = cells_.least(),
                .q1 = cells_.quantile(0.25),
                .median = cells_.quantile(0.5),
                .q3 = cells_.quantile(0.75),
                .max = cells_.most(),
                .windows = windows};
}

}  // namespace attn::report
