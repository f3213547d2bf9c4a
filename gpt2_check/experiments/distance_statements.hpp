#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "reports/record/measurements.hpp"

// The statements on distances, and what they share with the others.
namespace attn::gpt2 {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// An entry without an estimate.
report::PaperStatement not_measured(std::string_view id, std::string why);

/// An entry with one. `by_head`: what it is of. `largest`: as report::agreement has it.
report::PaperStatement measured_statement(std::string_view id, const MeanInterval& interval,
                                          std::size_t samples,
                                          std::vector<report::AbstractPoint> points,
                                          std::vector<double> by_head,
                                          std::optional<double> largest = {});

/// ln of a number above 0, else NaN.
double log_of(double value);

/// "with N = 5, the distance grows roughly linearly in L".
report::PaperStatement growth_statement(const std::vector<HeadMeasures>& heads,
                                        const std::vector<std::int64_t>& lengths);

/// "the distance falls as N grows with L": D at N = L/4, at the longest length by the shortest.
/// Beside it E, for as many tokens drawn at random.
report::PaperStatement distance_statement(const std::vector<HeadMeasures>& heads,
                                          const std::vector<std::int64_t>& lengths);

}  // namespace attn::gpt2
