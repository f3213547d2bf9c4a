#pragma once

#include <string>
#include <vector>

#include "reports/plot/scale.hpp"
#include "reports/plot/svg.hpp"

namespace attn::plot {

/// A measured point, with the range of the middle half of its samples.
struct LinePoint {
  double x{}, y{};
  double low{}, high{};
  std::string tooltip{};
};

struct LineSeries {
  std::string name;
  std::string css_class;
  Mark mark{Mark::circle};
  std::vector<LinePoint> points{};  ///< in order of x
};

/// Measured values against x > 0, which is drawn logarithmically where it spans a factor of ten;
/// y starts at 0.
struct LineChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::string x_label, y_label;
  std::vector<LineSeries> series{};  ///< points must be finite; what is not is left out
  double width{};                    ///< in user units
};

/// Where things are in a line chart.
struct LineLayout {
  LinearScale x, y;  ///< x maps log10 of the value where is_logarithmic
  bool is_logarithmic{};
  double left{}, right{}, top{}, bottom{}, height{};
  std::vector<Tick> x_ticks{}, y_ticks{};
  [[nodiscard]] Point at(double x_value, double y_value) const;
};

LineLayout layout(const LineChart& chart);
std::string draw(const LineChart& chart);

}  // namespace attn::plot
