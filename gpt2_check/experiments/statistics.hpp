#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reports/judge/intervals.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// The box-plot statistics of a sample: mean, min, q1, median, q3, max (quartiles interpolated
/// linearly between order statistics). None for empty or not finite samples.
report::MaybeSpread summary(std::vector<double> values);

/// The larger one; NaN where either is.
double larger(double a, double b);

using report::mean_interval;
using report::MeanInterval;
using report::percentile_interval;
using report::slope_of;
using report::two_way_interval;

/// The confidence of the intervals of means.
inline constexpr double kConfidence = report::kMeanConfidence;

/// An interval moved so that its middle is the estimate: with some heads drawn twice and others not
/// at all, two samples lie further apart than those of all heads, so that the resamples of a
/// critical N lie about a later one. NaN or infinite where the middle is.
inline MeanInterval recentred(const MeanInterval& interval, double estimate) {
  const double shift = estimate - interval.mean;
  return {.mean = estimate, .low = interval.low + shift, .high = interval.high + shift};
}

/// n m max |F_a - F_b| of the empirical distribution functions of samples of n and m numbers, none
/// of them NaN: that of the two-sided Kolmogorov-Smirnov test. Equal numbers step both functions at
/// once.
std::int64_t ks_deviation(std::vector<double> a, std::vector<double> b);

/// P(n m |F_a - F_b| >= deviation somewhere) for n and m observations of one continuous
/// distribution: the share of the C(n+m, n) lattice paths from (0, 0) to (n, m) that meet a point
/// (i, j) with |i m - j n| >= deviation. Every term is positive, so the relative error is below
/// 4 (n + m) 2^-53, short of underflow. n, m >= 1. With ties the chance is at most that.
double ks_exact_p(std::size_t n, std::size_t m, std::int64_t deviation);

}  // namespace attn::gpt2
