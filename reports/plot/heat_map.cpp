#include "reports/plot/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn::plot {
namespace {

constexpr double kLeft = 24, kTop = 6, kBottom = 36;
constexpr double kLargestCell = 54;
constexpr double kGap = 1.5;
constexpr double kTextNeeds = 30;  // cells smaller than this carry no text
constexpr double kScaleHeight = 20, kSwatchWidth = 12, kSwatchHeight = 9;
constexpr int kSwatches = 8;
constexpr double kLabelNeeds = 15;  // smaller ones have every second row and column labelled

void draw_cell(Svg& svg, const HeatCell& cell, const Rect& rect) {
  const bool is_link = !cell.href.empty();
  if (is_link) svg.open_link(cell.href, cell.tooltip);
  const double value = std::clamp(std::isnan(cell.value) ? 0.0 : cell.value, 0.0, 1.0);
  svg.shade(rect, cell.is_over ? "heat over" : "heat", value, is_link ? "" : cell.tooltip);
  if (cell.is_over) {
    svg.line({rect.x, rect.y + rect.height}, {rect.x + rect.width, rect.y}, "cross");
  }
  if (rect.width + kGap >= kTextNeeds && !cell.text.empty()) {
    svg.text({rect.x + rect.width / 2, rect.y + rect.height / 2 + 4}, cell.text,
             "cell-text middle");
  }
  if (is_link) svg.close_link();
}

/// The scale of the colours, from nothing to the full colour.
void draw_scale(Svg& svg, Point corner, const std::string& full_text) {
  const double baseline = corner.y + kSwatchHeight;
  svg.text({corner.x, baseline}, "0", "tick start");
  const double left = corner.x + 12;
  for (int i = 0; i < kSwatches; ++i) {
    svg.shade({left + i * kSwatchWidth, corner.y, kSwatchWidth, kSwatchHeight}, "heat",
              static_cast<double>(i + 1) / kSwatches);
  }
  svg.text({left + kSwatches * kSwatchWidth + 5, baseline}, full_text, "tick start");
}

}  // namespace

Rect HeatLayout::rect(unsigned row, unsigned column) const {
  return {left + cell * column, top + cell * row, cell - kGap, cell - kGap};
}

HeatLayout layout(const HeatMap& map) {
  HeatLayout at{.left = kLeft, .top = kTop};
  for (const HeatCell& cell : map.cells) {
    at.rows = std::max(at.rows, cell.row + 1);
    at.columns = std::max(at.columns, cell.column + 1);
  }
  const double columns = std::max(1u, at.columns);
  at.cell = std::min(kLargestCell, (map.width - kLeft) / columns);
  at.height = kTop + at.cell * at.rows + kBottom + (map.full_text.empty() ? 0 : kScaleHeight);
  return at;
}

Svg draw(const HeatMap& map) {
  const HeatLayout at = layout(map);
  Svg svg(at.left + at.cell * at.columns, at.height, map.label, "heat-map");
  std::vector<Rect> rects;
  rects.reserve(map.cells.size());
  for (const HeatCell& cell : map.cells) rects.push_back(at.rect(cell.row, cell.column));
  svg.tiles(rects, "heat-ground");
  for (std::size_t i = 0; i < rects.size(); ++i) draw_cell(svg, map.cells[i], rects[i]);
  const unsigned step = at.cell < kLabelNeeds ? 2 : 1;
  const double half = (at.cell - kGap) / 2;
  for (unsigned row = 0; row < at.rows; row += step) {
    svg.text({at.left - 6, at.rect(row, 0).y + half + 4}, fmt::format("{}", row), "tick end");
  }
  const double below = at.top + at.cell * at.rows;
  for (unsigned column = 0; column < at.columns; column += step) {
    svg.text({at.rect(0, column).x + half, below + 13}, fmt::format("{}", column), "tick middle");
  }
  svg.text({at.left + at.cell * at.columns / 2, below + 30}, "layers down, heads across",
           "tick middle");
  if (!map.full_text.empty()) draw_scale(svg, {at.left, below + kBottom + 4}, map.full_text);
  return svg;
}

}  // namespace attn::plot
