#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reports/record/measurements.hpp"
#include "reports/windows/quantiles.hpp"

namespace attn::report {

/// How many replicates the intervals over windows and heads have, and their confidence.
inline constexpr std::size_t kReplicates = 200;
inline constexpr double kWindowConfidence = 0.95;

/// What is drawn anew by a bootstrap.
enum class Resampled : std::uint64_t { windows, heads };

/// How often one of the windows or heads is drawn in one replicate: a Poisson variable of mean 1,
/// from a hash of its arguments alone, the same on every machine. `index` counts from 0.
double bootstrap_weight(std::uint64_t seed, std::size_t replicate, Resampled what,
                        std::uint64_t index);

/// How often each head is drawn, and the windows as they come.
class Resampling {
 public:
  using Weights = std::array<double, kReplicates>;  ///< by replicate

  Resampling(std::uint64_t seed, std::size_t heads);

  /// The weights of one window, counted from 0.
  [[nodiscard]] Weights of_window(std::uint64_t window) const;

  /// The weights of all heads in one replicate.
  [[nodiscard]] std::span<const double> of_heads(std::size_t replicate) const;

 private:
  std::uint64_t seed_;
  std::size_t heads_;
  std::vector<double> weights_;  ///< [replicate, head]
};

/// One number of each head in each window, summed up in bounded memory. Windows are added in their
/// order, which alone the rounding of the sums depends on.
///
/// The interval of the mean is by the product-reweighted bootstrap (Owen and Eckles 2012,
/// Bootstrapping data arrays of arbitrary order): a replicate weighs each number with the product
/// of its window's and its head's weight, since numbers of one window, and of one head, go
/// together. The interval tends to be wide rather than narrow.
class SpreadAccumulator {
 public:
  /// The numbers of one window, NaN for a head that has none; nothing where no head has one.
  void add(const Resampling& resampling, const Resampling::Weights& window,
           std::span<const double> by_head);

  /// Empty where nothing was added. Mean, least and largest are exact but for rounding, quartiles
  /// and medians within kQuantileError; the interval, of the quantiles of the replicates at
  /// confidence kWindowConfidence, is there from the second window on, where two replicates drew
  /// something.
  [[nodiscard]] MaybeSpread spread() const;

 private:
  void add_replicates(const Resampling& resampling, const Resampling::Weights& window,
                      std::span<const double> by_head);

  Quantiles cells_, means_;
  double sum_{0};
  /// The sums of weights and of weighted numbers of each replicate.
  Resampling::Weights weights_{}, sums_{};
};

}  // namespace attn::report
