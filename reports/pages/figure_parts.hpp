#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/io/csv.hpp"
#include "reports/pages/pages.hpp"
#include "reports/plot/charts.hpp"

// What the figures of an input have in common.
namespace attn::report {

using plot::LineChart;
using plot::LinePoint;
using plot::LineSeries;
using plot::Mark;
using plot::Spacing;

inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

template <class Point>
std::vector<Point> points_with(const std::vector<Point>& points, bool without_first) {
  std::vector<Point> kept = points;
  std::erase_if(kept, [&](const Point& point) { return point.without_first != without_first; });
  return kept;
}

inline LinePoint point_of(double x, std::optional<double> y) {
  return {.x = x, .y = y.value_or(kGap)};
}

inline LinePoint point_of(double x, const MaybeSpread& spread) {
  if (!spread) return {.x = x, .y = kGap};
  return {.x = x, .y = spread->mean, .low = spread->q1, .high = spread->q3};
}

/// `series` with what `value`, a function or a member, gives at each point: a number or nothing, or
/// a spread. What was not measured has no mark, and no band.
template <class Point, class X, class Value>
LineSeries line_of(LineSeries series, const std::vector<Point>& points, X x, const Value& value) {
  for (const Point& point : points) {
    LinePoint at = point_of(point.*x, std::invoke(value, point));
    if (!series.mark) at.low = at.high = kGap;
    series.points.push_back(at);
  }
  return series;
}

/// Whether a point of a line lies outside its band.
inline bool any_outside(const LineChart& chart) {
  return std::ranges::any_of(chart.series, [](const LineSeries& series) {
    return std::ranges::any_of(series.points, [](const LinePoint& point) {
      return point.low < point.high && (point.y < point.low || point.y > point.high);
    });
  });
}

/// How the bands and axes of a chart are to be read; empty where there are none to explain.
/// `bands`: what they are.
inline std::string reading_note(const LineChart& chart, std::string_view bands) {
  std::string note;
  const auto has_band = [](const LineSeries& series) {
    return std::ranges::any_of(series.points,
                               [](const LinePoint& point) { return point.low < point.high; });
  };
  if (std::ranges::any_of(chart.series, has_band)) {
    note += fmt::format(" Bands: {}{}.", bands,
                        any_outside(chart) ? ", which a mean may lie outside of" : "");
  }
  if (chart.y_spacing == Spacing::logarithmic) note += " The upright axis is logarithmic.";
  return note;
}

inline constexpr std::string_view kMiddleHalf = "the middle half of the heads";

/// A figure with a panel for all tokens, and one without the first where it is asked for.
template <class Point, class Chart>
MaybeFigure figure_of(const Measurements& measured, const std::vector<Point>& points,
                      const std::string& name, Tokens tokens, const std::string& caption,
                      const Chart& chart_of, std::string_view bands = kMiddleHalf) {
  Figure figure{.name = name, .caption = caption, .rows = csv_rows(points)};
  for (const bool without_first : {false, true}) {
    if (without_first && tokens == Tokens::all && !figure.panels.empty()) break;
    const std::vector<Point> kept = points_with(points, without_first);
    const LineChart chart = chart_of(kept);
    if (!plot::has_points(chart)) continue;
    if (figure.panels.empty()) figure.caption += reading_note(chart, bands);
    const bool is_named = tokens == Tokens::both || without_first;
    figure.panels.push_back(
        {is_named ? tokens_words(without_first, measured) : "", plot::draw(chart)});
  }
  if (figure.panels.empty()) return std::nullopt;
  return figure;
}

}  // namespace attn::report
