#pragma once

#include <string>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::plot {

/// One cell: a value in [0, 1] drawn as the strength of one hue, so that the map reads the same on
/// light and dark pages and in grey.
struct HeatCell {
  unsigned row{}, column{};
  double value{};
  bool is_over{false};  ///< drawn in the hue of violations, and crossed
  std::string text{};   ///< printed in the cell where it is large enough
  std::string tooltip{};
  std::string href{};  ///< where the cell leads; empty: nowhere
};

/// Layers (rows, the first at the top) by heads (columns).
struct HeatMap {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::vector<HeatCell> cells{};
  double width{};           ///< in user units
  std::string full_text{};  ///< what the full colour stands for; empty: no scale is drawn
};

/// Where things are in a heat map.
struct HeatLayout {
  double left{}, top{}, cell{}, height{};
  unsigned rows{}, columns{};
  [[nodiscard]] Rect rect(unsigned row, unsigned column) const;
};

HeatLayout layout(const HeatMap& map);
Svg draw(const HeatMap& map);

}  // namespace attn::plot
