#pragma once

#include <span>
#include <vector>

// Intervals of means and of resamples, and slopes: of what was measured.
namespace attn::report {

/// The mean of a sample with its confidence interval by Student's t: what the mean would be over
/// other samples of the same kind, drawn independently.
struct MeanInterval {
  double mean{}, low{}, high{};
};

inline constexpr double kMeanConfidence = 0.95;

/// The mean of one value or more.
double mean_of(std::span<const double> values);

/// The variance of the mean of two values at least, drawn independently of one distribution.
double variance_of_mean(std::span<const double> values);

/// At least two values.
MeanInterval mean_interval(const std::vector<double>& values);

/// The mean of a table of numbers, heads by rows, with the interval that other heads and other rows
/// of the same kind would leave: of the means of each head, two at least, and the means of each
/// row. Its variance is the sum of those of both means, which is never too small on average;
/// degrees of freedom by Welch and Satterthwaite. With one row it is that over the heads.
MeanInterval two_way_interval(const std::vector<double>& by_head,
                              const std::vector<double>& by_row);

/// The least-squares slope of y on x, of as many, two at least, of which not all x are equal.
double slope_of(const std::vector<double>& x, const std::vector<double>& y);

/// The interval of what resamples gave: their quantiles at kMeanConfidence, each the value of a
/// rank, the nearest one outwards. One value at least; `mean` is their median.
MeanInterval percentile_interval(std::vector<double> values);

}  // namespace attn::report
