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
