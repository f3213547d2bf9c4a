#include "reports/plot/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace attn::plot {
namespace {

constexpr double kLeft = 52, kRight = 14, kTop = 24, kBottom = 40;
constexpr double kHeight = 260;
constexpr double kRadius = 4;
constexpr double kTickSpace = 30;  // between labels of the horizontal axis
constexpr double kLogarithmicFrom = 10;

bool is_drawable(const LinePoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.low) &&
         std::isfinite(point.high) && point.x > 0;
}

struct Extent {
  double least{std::numeric_limits<double>::infinity()};
  double most{0};
  double highest{0};
  std::set<double> positions{};
};

Extent extent_of(const LineChart& chart) {
  Extent extent;
  for (const LineSeries& series : chart.series) {
    for (const LinePoint& point : series.points) {
      if (!is_drawable(point)) continue;
      extent.least = std::min(extent.least, point.x);
      extent.most = std::max(extent.most, point.x);
      extent.highest = std::max({extent.highest, point.y, point.high});
      extent.positions.insert(point.x);
    }
  }
  return extent;
}

/// 1, 2 or 5 times a power of ten, so that about four steps reach `highest` > 0.
double round_step(double highest) {
  const double rough = highest / 4;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Point LineLayout::at(double x_value, double y_value) const {
  return {x(is_logarithmic ? std::log10(x_value) : x_value), y(y_value)};
}

LineLayout layout(const LineChart& chart) {
  const Extent extent = extent_of(chart);
  const double highest = extent.highest > 0 ? extent.highest : 1;
  const double step = round_step(highest);
  const double y_end = step * std::ceil(highest / step - 1e-9);
  const bool logarithmic = extent.most >= kLogarithmicFrom * extent.least;
  const auto position = [&](double x) { return logarithmic ? std::log10(x) : x; };
  const double margin = extent.least == extent.most ? 1 : 0;  // one position stands in the middle
  const double bottom = kHeight - kBottom, right = chart.width - kRight;
  LineLayout at{.x = LinearScale(position(extent.least) - margin, position(extent.most) + margin,
                                 kLeft + 10, right - 10),
                .y = LinearScale(0, y_end, bottom, kTop),
                .is_logarithmic = logarithmic,
                .left = kLeft,
                .right = right,
                .top = kTop,
                .bottom = bottom,
                .height = kHeight};
  for (double y = 0; y <= y_end * (1 + 1e-9); y += step) {
    at.y_ticks.push_back({at.y(y), fmt::format("{:.4g}", y)});
  }
  double last = -std::numeric_limits<double>::infinity();
  for (const double x : extent.positions) {
    const double here = at.at(x, 0).x;
    if (here - last < kTickSpace) continue;
    at.x_ticks.push_back({here, fmt::format("{:g}", x)});
    last = here;
  }
  return at;
}

std::string draw(const LineChart& chart) {
  const LineLayout at = layout(chart);
  Svg svg(chart.width, at.height, chart.label);
  svg.text({0, 12}, chart.y_label, "tick start");
  for (const Tick& tick : at.y_ticks) {
    svg.line({at.left, tick.position}, {at.right, tick.position}, "grid");
    svg.text({at.left - 7, tick.position + 4}, tick.label, "tick end");
  }
  svg.line({at.left, at.bottom}, {at.right, at.bottom}, "axis");
  for (const Tick& tick : at.x_ticks) {
    svg.line({tick.position, at.bottom}, {tick.position, at.bottom + 4}, "axis");
    svg.text({tick.position, at.bottom + 17}, tick.label, "tick middle");
  }
  svg.text({(at.left + at.right) / 2, at.bottom + 35}, chart.x_label, "tick middle");
  for (const LineSeries& series : chart.series) {
    const LinePoint* before = nullptr;
    for (const LinePoint& point : series.points) {
      if (!is_drawable(point)) continue;
      const Point here = at.at(point.x, point.y);
      svg.line(at.at(point.x, point.low), at.at(point.x, point.high), series.css_class + " range");
      if (before != nullptr)
        svg.line(at.at(before->x, before->y), here, series.css_class + " link");
      svg.mark(here, kRadius, series.mark, series.css_class + " dot", point.tooltip);
      before = &point;
    }
  }
  return svg.str();
}

}  // namespace attn::plot
