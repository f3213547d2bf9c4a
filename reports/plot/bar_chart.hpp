#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::plot {

/// Counts of ratios lhs/rhs: equal bins over [0, 1], then one bar, set apart, for what exceeds 1.
struct RatioHistogram {
  std::string label;                ///< what the figure shows, for those who cannot see it
  std::vector<std::uint64_t> bins;  ///< two or more; the last counts ratios above 1
  std::string css_class;            ///< of the bars over [0, 1]
};

Svg draw(const RatioHistogram& histogram);

}  // namespace attn::plot
