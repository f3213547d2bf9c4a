#pragma once

#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// The level of the Kolmogorov-Smirnov test of experiment 3.
inline constexpr double kCriticalLevel = 0.01;

/// What all heads show together; `heads` is not empty. Every spread is over the heads, one number a
/// head. Points with `without_first` are of heads that cannot read the first token.
report::Figures figures(const std::vector<HeadMeasures>& heads);

/// What one head shows, but for the claims on its rows.
report::HeadRecord head_record(const HeadMeasures& head);

}  // namespace attn::gpt2
