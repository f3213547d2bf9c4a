#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reports/plot/axis.hpp"
#include "reports/plot/legend.hpp"
#include "reports/plot/svg.hpp"

namespace attn::plot {

/// A measured point, with the range of the middle half of its samples. What is not finite, or not
/// positive on a logarithmic axis, is a gap in the line.
struct LinePoint {
  double x{}, y{};
  double low{}, high{};  ///< drawn as a band if low < high at any point of the line
  double least{std::numeric_limits<double>::quiet_NaN()}, most{least};  ///< drawn as an upright bar
  std::string tooltip{};
};

struct LineSeries {
  std::string name;
  std::string css_class;
  std::optional<Mark> mark{};       ///< on each point; none for a line that was not measured
  std::vector<LinePoint> points{};  ///< in order of x
};

/// A horizontal line across a chart.
struct Reference {
  std::string name;
  std::string css_class;
  double y{};
};

/// A shaded range of y across a chart.
struct Region {
  std::string name;
  double low{}, high{};
};

/// Values against x, which is drawn logarithmically where it is positive and spans a factor of ten.
struct LineChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::string x_label, y_label;
  Spacing y_spacing{Spacing::linear};  ///< a linear y starts at 0
  std::vector<LineSeries> series{};
  std::vector<Reference> references{};
  std::optional<Region> region{};
  double width{};  ///< in user units
};

/// Where things are in a line chart.
struct LineLayout {
  Axis x, y;
  double left{}, right{}, top{}, bottom{}, height{};
  std::vector<Tick> x_ticks{}, y_ticks{};
  [[nodiscard]] Point at(double x_value, double y_value) const { return {x(x_value), y(y_value)}; }
};

/// Whether any point can be drawn.
bool has_points(const LineChart& chart);

LineLayout layout(const LineChart& chart);
Svg draw(const LineChart& chart);
std::vector<Key> keys_of(const LineChart& chart);

}  // namespace attn::plot
