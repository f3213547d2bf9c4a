#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/plot/charts.hpp"

namespace attn::plot {
namespace {

constexpr double kLeft = 26, kTop = 4, kBottom = 18;
constexpr double kWidth = 150, kLargestCell = 14;
constexpr double kGap = 1;
constexpr int kStrengths = 10;

/// The strength of a value, from 0 to kStrengths.
int strength(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<int>(std::ceil(std::clamp(value, 0.0, 1.0) * kStrengths));
}

/// Whole, so that cells are sharp and their numbers short; but of more columns than there is width.
double size_of_cell(unsigned columns) {
  const double size = std::min(kLargestCell, kWidth / columns);
  return size < 1 ? size : std::floor(size);
}

/// Adds a cell; where it goes on from the last one, without a gap, both are one.
void add_cell(std::vector<Rect>& rects, const Rect& cell) {
  if (!rects.empty() && rects.back().y == cell.y && rects.back().x + rects.back().width == cell.x) {
    rects.back().width += cell.width;
  } else {
    rects.push_back(cell);
  }
}

}  // namespace

Svg draw(const HeatMap& map) {
  unsigned rows = 1, columns = 1;
  for (const HeatCell& cell : map.cells) {
    rows = std::max(rows, cell.row + 1);
    columns = std::max(columns, cell.column + 1);
  }
  const double size = size_of_cell(columns);
  const double gap = size > 4 * kGap ? kGap : 0;
  const double right = kLeft + size * columns, bottom = kTop + size * rows;
  std::vector<Rect> all;
  std::map<std::pair<bool, int>, std::vector<Rect>> alike;
  for (const HeatCell& cell : map.cells) {
    const Rect rect{kLeft + size * cell.column, kTop + size * cell.row, size - gap, size - gap};
    add_cell(all, rect);
    add_cell(alike[{cell.is_over, strength(cell.value)}], rect);
  }
  Svg svg(std::max(right, kLeft + kWidth), bottom + kBottom, map.label);
  svg.tiles(all, "heat-ground");
  for (const auto& [look, rects] : alike) {
    const auto& [is_over, level] = look;
    svg.tiles(rects, is_over ? "heat over" : "heat", static_cast<double>(level) / kStrengths);
  }
  // The first and the last of the layers and heads.
  svg.text({kLeft - 5, kTop + std::min(size, 10.0)}, "0", "tick end");
  if (rows > 1) svg.text({kLeft - 5, bottom}, fmt::format("{}", rows - 1), "tick end");
  svg.text({kLeft, bottom + 13}, "0", "tick start");
  if (columns > 1) svg.text({right, bottom + 13}, fmt::format("{}", columns - 1), "tick end");
  return svg;
}

}  // namespace attn::plot
