#pragma once

#include <string>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::plot {

/// What the dots of a chart stand for, in each of its rows in the same order.
struct DotKind {
  std::string name;
  std::string css_class;
  Mark mark{Mark::circle};
};

/// One line of a dot chart: a ratio for each kind.
struct DotRow {
  std::string label;
  std::vector<double> ratios{};
};

/// Ratios lhs/rhs from 0 to 1, one row a bound, the dots of a row joined by a line. A ratio above 1
/// is drawn at 1.
struct DotChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::vector<DotKind> kinds{};
  std::vector<DotRow> rows{};
};

Svg draw(const DotChart& chart);

}  // namespace attn::plot
