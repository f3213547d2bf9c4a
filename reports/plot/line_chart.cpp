#include "reports/plot/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "reports/plot/frame.hpp"

namespace attn::plot {
namespace {

constexpr double kHeight = 290;
constexpr double kInset = 12;  // between the frame and the first and last x
constexpr double kRadius = 4;
constexpr double kTickSpace = 32;  // between labels of the horizontal axis
constexpr double kLogarithmicFrom = 10;

bool is_on(Spacing spacing, double y) {
  return std::isfinite(y) && (spacing == Spacing::linear || y > 0);
}

bool is_drawable(const LinePoint& point, Spacing spacing) {
  return std::isfinite(point.x) && is_on(spacing, point.y);
}

bool has_range(const LinePoint& point) {
  return std::isfinite(point.low) && std::isfinite(point.high) && point.low <= point.high;
}

bool has_width(const LinePoint& point) {
  return has_range(point) && point.low < point.high;
}

struct Extent {
  double lowest{std::numeric_limits<double>::infinity()};
  double highest{-std::numeric_limits<double>::infinity()};
  std::set<double> positions{};

  void take(Spacing spacing, double y) {
    if (!is_on(spacing, y)) return;
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  }
};

Extent extent_of(const LineChart& chart) {
  Extent extent;
  for (const LineSeries& series : chart.series) {
    for (const LinePoint& point : series.points) {
      if (!is_drawable(point, chart.y_spacing)) continue;
      extent.take(chart.y_spacing, point.y);
      if (has_width(point)) {
        extent.take(chart.y_spacing, point.low);
        extent.take(chart.y_spacing, point.high);
      }
      extent.take(chart.y_spacing, point.least);
      extent.take(chart.y_spacing, point.most);
      extent.positions.insert(point.x);
    }
  }
  for (const Reference& line : chart.references) extent.take(chart.y_spacing, line.y);
  if (chart.region) {
    extent.take(chart.y_spacing, chart.region->low);
    extent.take(chart.y_spacing, chart.region->high);
  }
  if (extent.positions.empty()) extent.positions.insert(1);
  if (!(extent.lowest <= extent.highest)) extent.lowest = extent.highest = 1;
  return extent;
}

Axis x_axis(const std::set<double>& positions, const Frame& frame) {
  const double least = *positions.begin(), most = *positions.rbegin();
  const double from = frame.left + kInset, to = frame.right - kInset;
  if (least == most) return {Spacing::linear, least - 1, most + 1, from, to};
  const bool spans = least > 0 && most >= kLogarithmicFrom * least;
  return {spans ? Spacing::logarithmic : Spacing::linear, least, most, from, to};
}

/// Whole numbers are labelled themselves, as far as there is room; else round values.
std::vector<Tick> x_ticks_of(const std::set<double>& positions, const Axis& x) {
  const bool whole = std::all_of(positions.begin(), positions.end(),
                                 [](double value) { return value == std::floor(value); });
  if (!whole) return x.ticks();
  std::vector<Tick> ticks;
  double last = -std::numeric_limits<double>::infinity();
  for (const double value : positions) {
    const double here = x(value);
    if (here - last < kTickSpace) continue;
    ticks.push_back({here, tick_text(value)});
    last = here;
  }
  return ticks;
}

/// The points of a series in runs without gaps.
std::vector<std::vector<LinePoint>> runs_of(const LineSeries& series, Spacing spacing) {
  std::vector<std::vector<LinePoint>> runs(1);
  for (const LinePoint& point : series.points) {
    if (is_drawable(point, spacing)) {
      runs.back().push_back(point);
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  return runs;
}

/// Along the upper ends of the ranges and back along the lower ones.
void draw_band(Svg& svg, const LineLayout& at, const std::vector<LinePoint>& run,
               const std::string& css_class) {
  if (std::none_of(run.begin(), run.end(), has_width)) return;
  std::vector<Point> outline;
  for (const LinePoint& point : run) {
    if (has_range(point)) outline.push_back(at.at(point.x, point.high));
  }
  for (auto point = run.rbegin(); point != run.rend(); ++point) {
    if (has_range(*point)) outline.push_back(at.at(point->x, point->low));
  }
  if (outline.size() > 2) svg.polygon(outline, css_class + " band");
}

void draw_run(Svg& svg, const LineLayout& at, const std::vector<LinePoint>& run,
              const LineSeries& series, Spacing spacing) {
  std::vector<Point> line;
  line.reserve(run.size());
  for (const LinePoint& point : run) line.push_back(at.at(point.x, point.y));
  if (line.size() > 1) svg.polyline(line, series.css_class + " link");
  for (const LinePoint& point : run) {
    if (!is_on(spacing, point.least) || !is_on(spacing, point.most)) continue;
    svg.line(at.at(point.x, point.least), at.at(point.x, point.most), series.css_class + " link");
  }
  if (!series.mark) return;
  for (std::size_t i = 0; i < run.size(); ++i) {
    svg.mark(line[i], kRadius, *series.mark, series.css_class + " dot", run[i].tooltip);
  }
}

}  // namespace

bool has_points(const LineChart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [&](const LineSeries& series) {
    return std::any_of(series.points.begin(), series.points.end(),
                       [&](const LinePoint& point) { return is_drawable(point, chart.y_spacing); });
  });
}

LineLayout layout(const LineChart& chart) {
  const Extent extent = extent_of(chart);
  const Frame frame = frame_of(chart.width, kHeight);
  LineLayout at{
      .x = x_axis(extent.positions, frame),
      .y = rounded_axis(chart.y_spacing, extent.lowest, extent.highest, frame.bottom, frame.top),
      .left = frame.left,
      .right = frame.right,
      .top = frame.top,
      .bottom = frame.bottom,
      .height = kHeight};
  at.x_ticks = x_ticks_of(extent.positions, at.x);
  at.y_ticks = at.y.ticks();
  return at;
}

Svg draw(const LineChart& chart) {
  const LineLayout at = layout(chart);
  Svg svg(chart.width, at.height, chart.label);
  if (chart.region) {
    const double high = at.y(chart.region->high), low = at.y(chart.region->low);
    svg.rect({at.left, high, at.right - at.left, low - high}, "region");
  }
  draw_frame(svg, {at.left, at.right, at.top, at.bottom}, at.x_ticks, at.y_ticks, chart.x_label,
             chart.y_label);
  for (const LineSeries& series : chart.series) {
    for (const auto& run : runs_of(series, chart.y_spacing)) {
      draw_band(svg, at, run, series.css_class);
    }
  }
  for (const Reference& line : chart.references) {
    svg.line({at.left, at.y(line.y)}, {at.right, at.y(line.y)}, line.css_class + " link");
  }
  for (const LineSeries& series : chart.series) {
    for (const auto& run : runs_of(series, chart.y_spacing))
      draw_run(svg, at, run, series, chart.y_spacing);
  }
  return svg;
}

std::vector<Key> keys_of(const LineChart& chart) {
  std::vector<Key> keys;
  keys.reserve(chart.series.size() + chart.references.size());
  for (const LineSeries& series : chart.series) {
    keys.push_back({series.name, series.css_class,
                    series.mark ? Key::Shape::marked_line : Key::Shape::line,
                    series.mark.value_or(Mark::circle)});
  }
  for (const Reference& line : chart.references) keys.push_back({line.name, line.css_class});
  if (chart.region) keys.push_back({chart.region->name, "region", Key::Shape::region});
  return keys;
}

}  // namespace attn::plot
