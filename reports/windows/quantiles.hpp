#pragma once

#include <cstdint>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// How far a value that Quantiles gives may be from the true one, relative to the true one.
inline constexpr double kQuantileError = 0x1p-8;

/// The quantiles of a sample of any size in bounded memory.
///
/// Every octave is cut into 128 buckets of equal width, of which the counts are kept, as an HDR
/// histogram does (Tene 2015; DDSketch, Masson et al. 2019, states the same kind of error): exact
/// in merging, whatever the order. A value is within kQuantileError of the true one where that is a
/// normal number; zeros are exact.
class Quantiles {
 public:
  Quantiles() = default;
  explicit Quantiles(const std::vector<Bucket>& buckets);

  /// Adds any number but NaN, so many times.
  void add(double value, std::uint64_t times = 1);
  void merge(const Quantiles& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The exact least and largest, but for those of buckets; count() > 0.
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }

  /// See attn::quantile; never beyond the least and the largest.
  [[nodiscard]] double quantile(double p) const;

  [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }

 private:
  std::vector<Bucket> buckets_;  ///< in their order
  std::uint64_t count_{0};
  double least_{}, most_{};
};

}  // namespace attn::report
