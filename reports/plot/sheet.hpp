#pragma once

#include <string>
#include <vector>

#include "reports/plot/legend.hpp"
#include "reports/plot/svg.hpp"

namespace attn::plot {

/// One drawing of a figure, with its title and what its legend explains.
struct Panel {
  std::string title;
  Svg drawing;
  std::vector<Key> keys{};
};

/// The legend of a figure: what any of its panels needs explained, each entry once.
std::vector<Key> keys_of(const std::vector<Panel>& panels);

/// Where things are on a sheet.
struct SheetLayout {
  std::vector<Point> keys{};    ///< the upper left corner of each entry of the legend
  std::vector<Point> panels{};  ///< the upper left corner of each panel, title and all
  double width{}, height{};
};

/// How many panels stand side by side on a sheet of `panels` panels.
std::size_t columns_of(std::size_t panels);

SheetLayout layout(const std::vector<Panel>& panels);

/// A figure with all its panels as one drawing, to stand alone: the legend, then the panels in
/// rows, each below its title. `label`: what it shows, for those who cannot see it.
Svg sheet(const std::string& label, const std::vector<Panel>& panels);

}  // namespace attn::plot
