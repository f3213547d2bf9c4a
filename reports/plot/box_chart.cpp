#include "reports/plot/box_chart.hpp"

#include <algorithm>
#include <cmath>

#include "reports/plot/frame.hpp"

namespace attn::plot {
namespace {

constexpr double kHeight = 300;
constexpr double kGroupGap = 0.3;  // of the width of a group, left free between groups
constexpr double kWidestBox = 26;
constexpr double kRadius = 3.5;
constexpr double kBoxGap = 3;
constexpr double kLeastHeight = 1;  // a box of no height stays visible

bool is_drawable(const Box& box) {
  return std::isfinite(box.min) && std::isfinite(box.q1) && std::isfinite(box.median) &&
         std::isfinite(box.q3) && std::isfinite(box.max) && std::isfinite(box.mean);
}

void draw_box(Svg& svg, const BoxLayout& at, const Box& box, double left, const BoxSeries& series) {
  const double width = at.box_width - kBoxGap, middle = left + width / 2, right = left + width;
  const double top = at.y(box.q3), bottom = at.y(box.q1), cap = width / 4;
  svg.line({middle, at.y(box.max)}, {middle, top}, series.css_class + " whisker");
  svg.line({middle, bottom}, {middle, at.y(box.min)}, series.css_class + " whisker");
  for (const double end : {box.min, box.max}) {
    svg.line({middle - cap, at.y(end)}, {middle + cap, at.y(end)}, series.css_class + " whisker");
  }
  svg.rect({left, top, width, std::max(bottom - top, kLeastHeight)}, series.css_class + " box",
           box.tooltip);
  svg.line({left, at.y(box.median)}, {right, at.y(box.median)}, series.css_class + " median");
  svg.mark({middle, at.y(box.mean)}, kRadius, series.mark, series.css_class + " dot", box.tooltip);
}

void draw_line(Svg& svg, const BoxLayout& at, const GroupLine& line) {
  std::vector<Point> run;
  const auto finish = [&] {
    if (run.size() > 1) svg.polyline(run, line.css_class + " link");
    run.clear();
  };
  for (std::size_t group = 0; group < line.values.size(); ++group) {
    const std::optional<double> value = line.values[group];
    if (!value || std::isnan(*value)) {
      finish();
      continue;
    }
    const Point here{at.centre(group), at.y(*value)};
    run.push_back(here);
    if (!at.y.holds(*value)) svg.mark(here, kRadius, Mark::triangle, line.css_class + " dot");
  }
  finish();
}

}  // namespace

double BoxLayout::centre(std::size_t group) const {
  return left + group_width * (static_cast<double>(group) + 0.5);
}

double BoxLayout::box_left(std::size_t group, std::size_t series, std::size_t of) const {
  const double first = centre(group) - box_width * static_cast<double>(of) / 2;
  return first + box_width * static_cast<double>(series);
}

BoxLayout layout(const BoxChart& chart) {
  const Frame frame = frame_of(chart.width, kHeight);
  const auto groups = static_cast<double>(std::max<std::size_t>(1, chart.groups.size()));
  const auto boxes = static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  BoxLayout at{.y = Axis(Spacing::linear, 0, 1, frame.bottom, frame.top),
               .left = frame.left,
               .right = frame.right,
               .top = frame.top,
               .bottom = frame.bottom,
               .height = kHeight};
  at.group_width = (frame.right - frame.left) / groups;
  at.box_width = std::min(kWidestBox, at.group_width * (1 - kGroupGap) / boxes);
  return at;
}

Svg draw(const BoxChart& chart) {
  const BoxLayout at = layout(chart);
  Svg svg(chart.width, at.height, chart.label);
  if (chart.region) {
    const double high = at.y(chart.region->high), low = at.y(chart.region->low);
    svg.rect({at.left, high, at.right - at.left, low - high}, "region");
  }
  std::vector<Tick> groups;
  for (std::size_t i = 0; i < chart.groups.size(); ++i) {
    groups.push_back({at.centre(i), chart.groups[i]});
  }
  draw_frame(svg, {at.left, at.right, at.top, at.bottom}, groups, at.y.ticks(), chart.x_label,
             chart.y_label);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const BoxSeries& series = chart.series[s];
    for (std::size_t group = 0; group < series.boxes.size(); ++group) {
      const std::optional<Box>& box = series.boxes[group];
      if (!box || !is_drawable(*box)) continue;
      draw_box(svg, at, *box, at.box_left(group, s, chart.series.size()) + kBoxGap / 2, series);
    }
  }
  for (const GroupLine& line : chart.lines) draw_line(svg, at, line);
  return svg;
}

std::vector<Key> keys_of(const BoxChart& chart) {
  std::vector<Key> keys;
  for (const BoxSeries& series : chart.series) {
    keys.push_back({series.name, series.css_class, Key::Shape::box});
  }
  for (const GroupLine& line : chart.lines) keys.push_back({line.name, line.css_class});
  if (chart.region) keys.push_back({chart.region->name, "region", Key::Shape::region});
  return keys;
}

}  // namespace attn::plot
