#pragma once

#include <string>
#include <vector>

#include "reports/plot/scale.hpp"
#include "reports/plot/svg.hpp"

namespace attn::plot {

struct Dot {
  double ratio{};
  double low{}, high{};  ///< the middle half of the cases, drawn as a bar where low < high
  Mark mark{Mark::circle};
  std::string css_class;
  std::string tooltip;
};

/// One line of a dot chart; a heading has a label and no dots.
struct DotRow {
  std::string label;
  std::vector<Dot> dots{};
  bool is_heading{false};
};

/// Ratios lhs/rhs, one row a claim, on a RatioScale.
struct DotChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::vector<DotRow> rows{};
  double width{};       ///< in user units
  bool labels_above{};  ///< labels above their rows, for narrow screens; else to the left
};

/// Where things are in a dot chart.
struct DotLayout {
  RatioScale scale;
  std::vector<double> row_y{};  ///< the line that the dots of a row sit on
  double left{}, right{}, top{}, bottom{}, height{};
};

DotLayout layout(const DotChart& chart);
Svg draw(const DotChart& chart);

}  // namespace attn::plot
