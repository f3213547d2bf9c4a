#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/plot/line_chart.hpp"

namespace attn::plot {

/// The spread of one sample: its ends, its quarters, its median and its mean.
struct Box {
  double min{}, q1{}, median{}, q3{}, max{}, mean{};
  std::string tooltip{};
};

/// A box for each group that has one, in one hue.
struct BoxSeries {
  std::string name;
  std::string css_class;
  Mark mark{Mark::diamond};  ///< of the mean
  std::vector<std::optional<Box>> boxes{};
};

/// A line from group to group, such as a bound; a value outside the axis is drawn at its end, with
/// a triangle.
struct GroupLine {
  std::string name;
  std::string css_class;
  std::vector<std::optional<double>> values{};
};

/// Spreads of shares in [0, 1], side by side within each group.
struct BoxChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::string x_label, y_label;
  std::vector<std::string> groups{};
  std::vector<BoxSeries> series{};
  std::vector<GroupLine> lines{};
  std::optional<Region> region{};
  double width{};  ///< in user units
};

/// Where things are in a box chart.
struct BoxLayout {
  Axis y;
  double left{}, right{}, top{}, bottom{}, height{};
  double group_width{}, box_width{};
  [[nodiscard]] double centre(std::size_t group) const;
  /// The left end of a box.
  [[nodiscard]] double box_left(std::size_t group, std::size_t series, std::size_t of) const;
};

BoxLayout layout(const BoxChart& chart);
Svg draw(const BoxChart& chart);
std::vector<Key> keys_of(const BoxChart& chart);

}  // namespace attn::plot
