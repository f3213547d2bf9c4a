#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// The box-plot statistics of a sample: mean, min, q1, median, q3, max (quartiles interpolated
/// linearly between order statistics). None for empty or not finite samples.
report::MaybeSpread summary(std::vector<double> values);

/// The larger one; NaN where either is.
double larger(double a, double b);

/// The mean of a sample with its confidence interval by Student's t: what the mean would be over
/// other samples of the same kind, drawn independently.
struct MeanInterval {
  double mean{}, low{}, high{};
};

inline constexpr double kConfidence = 0.95;

/// At least two values.
MeanInterval mean_interval(const std::vector<double>& values);

/// What the two-sample Kolmogorov-Smirnov test says.
struct KsResult {
  double statistic{};  ///< max |F_a - F_b| of the empirical distribution functions, in [0, 1]
  double p{};          ///< P(statistic or more) where both samples have one distribution
};

/// The p-values of tests of n and m observations, each worked out once.
class KsPValues {
 public:
  KsPValues(std::size_t n, std::size_t m) : n_(n), m_(m) {}

  /// P(n m |F_a - F_b| >= deviation somewhere).
  double at(std::int64_t deviation);

 private:
  std::size_t n_, m_;
  std::map<std::int64_t, double> known_;
};

/// The test of the samples `a` and `b`, two-sided, with p-values for samples of these sizes.
/// Neither is empty and neither holds a NaN. Equal observations step both distribution functions at
/// once.
///
/// p is that of continuous distributions, exactly. With ties it is conservative: the chance is at
/// most p.
KsResult ks_test(std::span<const double> a, std::span<const double> b, KsPValues& p_values);

/// P(n m |F_a - F_b| >= deviation somewhere) for n and m observations of one continuous
/// distribution: the share of the C(n+m, n) lattice paths from (0, 0) to (n, m) that meet a point
/// (i, j) with |i m - j n| >= deviation. Every term is positive, so the relative error is below
/// 4 (n + m) 2^-53, short of underflow. n, m >= 1.
double ks_exact_p(std::size_t n, std::size_t m, std::int64_t deviation);

}  // namespace attn::gpt2
