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

/// One cell: a value in [0, 1] drawn as the strength of one hue, so that the map reads the same on
/// light and dark pages and in grey.
struct HeatCell {
  unsigned row{}, column{};
  double value{};
  bool is_over{};  ///< drawn in the hue of violations, with an outline
};

/// Layers (rows, the first at the top) by heads (columns), in few strengths of the hue: a map of
/// any number of heads is a handful of elements.
struct HeatMap {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::vector<HeatCell> cells{};
};

Svg draw(const HeatMap& map);

}  // namespace attn::plot
