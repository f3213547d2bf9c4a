#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "reports/plot/charts.hpp"

namespace attn::plot {
namespace {

constexpr double kWidth = 500, kHeight = 300;
constexpr double kLeft = 56, kTop = 30, kBottom = kHeight - 46;
constexpr double kInset = 10;  // between the frame and the first and last x
constexpr double kRadius = 4;
constexpr double kTickSpace = 34;  // between labels of the horizontal axis
constexpr double kNameHeight = 15, kNameGap = 8;
constexpr double kNameSlack = 8;  // fonts differ in the widths of letters
constexpr double kLogarithmicFrom = 10;

bool is_drawable(const LinePoint& point, const LineChart& chart) {
  if (!std::isfinite(point.x) || !std::isfinite(point.y)) return false;
  if (chart.is_of_shares) return point.y >= 0 && point.y <= 1;
  return chart.y_spacing == Spacing::linear || point.y > 0;
}

bool has_range(const LinePoint& point) {
  return std::isfinite(point.low) && std::isfinite(point.high) && point.low <= point.high;
}

/// The points of a series in runs without gaps.
std::vector<std::vector<LinePoint>> runs_of(const LineSeries& series, const LineChart& chart) {
  std::vector<std::vector<LinePoint>> runs(1);
  for (const LinePoint& point : series.points) {
    if (is_drawable(point, chart)) {
      runs.back().push_back(point);
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  if (runs.back().empty()) runs.pop_back();
  return runs;
}

/// What there is to draw: the positions along x, and the ends of y.
struct Extent {
  std::set<double> positions{};
  double lowest{std::numeric_limits<double>::infinity()}, highest{-lowest};

  void take(const LineChart& chart, double y) {
    if (!is_drawable({.x = 0, .y = y}, chart)) return;
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  }
};

Extent extent_of(const LineChart& chart) {
  Extent extent;
  for (const LineSeries& series : chart.series) {
    for (const LinePoint& point : series.points) {
      if (!is_drawable(point, chart)) continue;
      extent.positions.insert(point.x);
      for (const double y : {point.y, point.low, point.high}) extent.take(chart, y);
    }
  }
  if (chart.region) {
    extent.take(chart, chart.region->low);
    extent.take(chart, chart.region->high);
  }
  if (extent.positions.empty()) extent.positions.insert(1);
  if (!(extent.lowest <= extent.highest)) extent.lowest = extent.highest = 1;
  return extent;
}

Axis x_axis(const std::set<double>& positions, double right) {
  const double least = *positions.begin(), most = *positions.rbegin();
  const double from = kLeft + kInset, to = right - kInset;
  if (least == most) return {Spacing::linear, least - 1, most + 1, from, to};
  const bool spans = least > 0 && most >= kLogarithmicFrom * least;
  return {spans ? Spacing::logarithmic : Spacing::linear, least, most, from, to};
}

/// Whole numbers are labelled themselves, as far as there is room; else round values.
std::vector<Tick> x_ticks_of(const std::set<double>& positions, const Axis& x) {
  const bool whole =
      std::ranges::all_of(positions, [](double value) { return value == std::floor(value); });
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

/// A name at the right of the frame, at the end of what it names.
struct Name {
  std::string text, css_class;
  double y{};
};

class Drawing {
 public:
  explicit Drawing(const LineChart& chart)
      : chart_(chart),
        extent_(extent_of(chart)),
        right_(kWidth - room_for_names(chart)),
        x_(x_axis(extent_.positions, right_)),
        y_(chart.is_of_shares
               ? Axis(Spacing::linear, 0, 1, kBottom, kTop)
               : rounded_axis(chart.y_spacing, extent_.lowest, extent_.highest, kBottom, kTop)),
        svg_(kWidth, kHeight, chart.label) {}

  Svg drawn() && {
    if (chart_.region) {
      const double high = y_(chart_.region->high), low = y_(chart_.region->low);
      svg_.rect({kLeft, high, right_ - kLeft, low - high}, "region");
      names_.push_back({chart_.region->name, "tick", (low + high) / 2});
    }
    draw_frame();
    for (const LineSeries& series : chart_.series) {
      for (const auto& run : runs_of(series, chart_)) draw_band(run, series.css_class);
    }
    for (const LineSeries& series : chart_.series) draw_series(series);
    draw_names();
    return std::move(svg_);
  }

 private:
  static double room_for_names(const LineChart& chart) {
    double widest = chart.region ? width_of(chart.region->name) : 0;
    for (const LineSeries& series : chart.series) widest = std::max(widest, width_of(series.name));
    return widest + kNameGap + kNameSlack;
  }

  [[nodiscard]] Point at(double x, double y) const { return {x_(x), y_(y)}; }

  void draw_frame() {
    svg_.text({0, 14}, chart_.y_label, "tick start");
    for (const Tick& tick : y_.ticks()) {
      svg_.line({kLeft, tick.position}, {right_, tick.position}, "grid");
      svg_.text({kLeft - 7, tick.position + 4}, tick.label, "tick end");
    }
    svg_.line({kLeft, kBottom}, {right_, kBottom}, "axis");
    for (const Tick& tick : x_ticks_of(extent_.positions, x_)) {
      svg_.line({tick.position, kBottom}, {tick.position, kBottom + 4}, "axis");
      svg_.text({tick.position, kBottom + 18}, tick.label, "tick middle");
    }
    svg_.text({(kLeft + right_) / 2, kBottom + 38}, chart_.x_label, "tick middle");
  }

  /// Along the upper ends of the ranges and back along the lower ones.
  void draw_band(const std::vector<LinePoint>& run, const std::string& css_class) {
    const auto has_width = [](const LinePoint& p) { return has_range(p) && p.low < p.high; };
    if (std::ranges::none_of(run, has_width)) return;
    std::vector<Point> outline;
    for (const LinePoint& point : run) {
      if (has_range(point)) outline.push_back(at(point.x, point.high));
    }
    for (auto point = run.rbegin(); point != run.rend(); ++point) {
      if (has_range(*point)) outline.push_back(at(point->x, point->low));
    }
    if (outline.size() > 2) svg_.polygon(outline, css_class + " band");
  }

  void draw_series(const LineSeries& series) {
    const auto runs = runs_of(series, chart_);
    for (const auto& run : runs) {
      std::vector<Point> line;
      line.reserve(run.size());
      for (const LinePoint& point : run) line.push_back(at(point.x, point.y));
      if (line.size() > 1) svg_.polyline(line, series.css_class + " link");
      if (!series.mark) continue;
      for (const Point& point : line) {
        svg_.mark(point, kRadius, *series.mark, series.css_class + " dot");
      }
    }
    if (runs.empty()) return;
    names_.push_back({series.name, series.css_class, y_(runs.back().back().y)});
  }

  void draw_names() {
    std::ranges::stable_sort(names_, {}, &Name::y);
    std::vector<double> wished;
    for (const Name& name : names_) wished.push_back(name.y);
    const std::vector<double> places = spread_out(wished, kNameHeight, kTop, kBottom);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      svg_.text({right_ + kNameGap, places[i] + 4}, names_[i].text,
                names_[i].css_class + " name start");
    }
  }

  const LineChart& chart_;
  Extent extent_;
  double right_;
  Axis x_, y_;
  Svg svg_;
  std::vector<Name> names_;
};

}  // namespace

bool has_points(const LineChart& chart) {
  return std::ranges::any_of(
      chart.series, [&](const LineSeries& series) { return !runs_of(series, chart).empty(); });
}

Svg draw(const LineChart& chart) {
  return Drawing(chart).drawn();
}

std::vector<double> spread_out(const std::vector<double>& wished, double height, double top,
                               double bottom) {
  std::vector<double> places = wished;
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = std::max(places[i], i == 0 ? top : places[i - 1] + height);
  }
  for (std::size_t i = places.size(); i-- > 0;) {
    const double most = i + 1 == places.size() ? bottom : places[i + 1] - height;
    places[i] = std::min(places[i], most);
  }
  return places;
}

}  // namespace attn::plot
