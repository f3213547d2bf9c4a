#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "reports/html/figure.hpp"
#include "reports/plot/heat_map.hpp"

namespace attn::report {

struct HeadValue {
  unsigned layer{}, head{};
  double value{};
  std::string text{};  ///< as tables and tooltips have it
};

/// One number for each head.
struct HeadMap {
  std::string title;
  std::vector<HeadValue> values{};
  double full{1};         ///< the value that gets the full colour
  double over{INFINITY};  ///< a value above is drawn in the hue of violations
  std::string prefix{};   ///< of the anchors of its heads
};

/// The map as a drawing. Its cells lead to the numbers of their heads.
plot::HeatMap drawing_of(const HeadMap& map);

/// A small map with its range and a note, a piece of HTML.
std::string drawing_html(const HeadMap& map, const std::string& note);

/// The same below its heading, a piece of HTML too.
std::string map_html(const HeadMap& map, const std::string& heading, const std::string& note);

/// A drawing without the links of its cells, which lead nowhere outside of the page.
plot::Panel panel_of(plot::HeatMap map, const std::string& title);

/// The values, a line for each layer and a column for each head.
DataTable layers_by_heads(const HeadMap& map);

}  // namespace attn::report
