#include "reports/plot/sheet.hpp"

#include <algorithm>

namespace attn::plot {
namespace {

constexpr double kMargin = 16, kGap = 24;
constexpr double kTitle = 24;        // the height that a title takes
constexpr double kKeyRow = 22;       // the height of a line of the legend
constexpr double kKeyToText = 8;     // between an entry's sample and its name
constexpr double kCharacter = 7;     // no narrower than most characters of a name
constexpr double kLeastWidth = 320;  // room for a legend beside a small drawing

double width_of(const Key& key) {
  return sample(key).width() + kKeyToText + kCharacter * static_cast<double>(key.name.size());
}

/// The size of the largest panel.
Point cell_of(const std::vector<Panel>& panels) {
  Point cell;
  for (const Panel& panel : panels) {
    cell.x = std::max(cell.x, panel.drawing.width());
    cell.y = std::max(cell.y, panel.drawing.height());
  }
  return cell;
}

}  // namespace

std::vector<Key> keys_of(const std::vector<Panel>& panels) {
  std::vector<Key> keys;
  for (const Panel& panel : panels) join_keys(keys, panel.keys);
  return keys;
}

std::size_t columns_of(std::size_t panels) {
  constexpr std::size_t kFew = 4;  // as many as stand in two columns
  return panels <= kFew ? std::min<std::size_t>(panels, 2) : 4;
}

SheetLayout layout(const std::vector<Panel>& panels) {
  const Point cell = cell_of(panels);
  const std::size_t columns = std::max<std::size_t>(columns_of(panels.size()), 1);
  const auto across = static_cast<double>(columns);
  SheetLayout at{.width =
                     std::max(kLeastWidth, across * cell.x + (across - 1) * kGap) + 2 * kMargin};
  Point pen{kMargin, kMargin};
  for (const Key& key : keys_of(panels)) {
    const double width = width_of(key);
    if (pen.x > kMargin && pen.x + width > at.width - kMargin) pen = {kMargin, pen.y + kKeyRow};
    at.keys.push_back(pen);
    pen.x += width + kGap;
  }
  const double top = at.keys.empty() ? kMargin : pen.y + kKeyRow + kMargin / 2;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / columns;
    at.panels.push_back({kMargin + static_cast<double>(i % columns) * (cell.x + kGap),
                         top + static_cast<double>(row) * (kTitle + cell.y + kGap)});
  }
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  at.height = top + static_cast<double>(rows) * (kTitle + cell.y + kGap) - kGap + kMargin;
  return at;
}

Svg sheet(const std::string& label, const std::vector<Panel>& panels) {
  const SheetLayout at = layout(panels);
  const std::vector<Key> keys = keys_of(panels);
  Svg svg(at.width, at.height, label);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Svg picture = sample(keys[i]);
    svg.nest(picture, at.keys[i]);
    svg.text({at.keys[i].x + picture.width() + kKeyToText, at.keys[i].y + 11}, keys[i].name,
             "start");
  }
  for (std::size_t i = 0; i < panels.size(); ++i) {
    svg.text({at.panels[i].x, at.panels[i].y + 12}, panels[i].title, "row-heading start");
    svg.nest(panels[i].drawing, {at.panels[i].x, at.panels[i].y + kTitle});
  }
  return svg;
}

}  // namespace attn::plot
