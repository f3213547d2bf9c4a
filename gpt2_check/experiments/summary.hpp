#pragma once

#include <vector>

#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// The box-plot statistics of a sample: mean, min, q1, median, q3, max (quartiles interpolated
/// linearly between order statistics), and the sample itself. None for empty or not finite samples.
report::MaybeSpread summary(std::vector<double> values);

/// The larger one; NaN where either is.
double larger(double a, double b);

/// The mean of a sample with its confidence interval by Student's t: what the mean would be over
/// other samples of the same kind, drawn independently.
struct MeanInterval {
  double mean{}, low{}, high{};
};

/// At least two values; `confidence` in (0, 1).
MeanInterval mean_interval(const std::vector<double>& values, double confidence);

}  // namespace attn::gpt2
