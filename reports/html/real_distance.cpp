#include <fmt/format.h>

#include <algorithm>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/io/csv.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

using plot::Mark;

struct Curve {
  const char* name;
  MaybeSpread DistancePoint::*spread;
  const char* css_class;
  std::optional<Mark> mark;
};

const Curve kCurves[] = {
    {"bound of Theorem 1", &DistancePoint::bound, "ink dashed", {}},
    {"E, read in full", &DistancePoint::expected_full, "hue-2", Mark::diamond},
    {"E, with the factor N/(L-1)", &DistancePoint::expected_factor, "hue-3", Mark::square},
    {"D, the N largest weights", &DistancePoint::distance, "hue-1", Mark::circle},
    {"sharp bound", &DistancePoint::sharp_bound, "hue-4 dotted", {}}};

/// What a figure is drawn against, and what stays fixed.
struct Axis {
  const char* name;  ///< of the figure
  const char* symbol;
  const char* label;
  double DistancePoint::*along;
  const char* fixed_symbol;
  double DistancePoint::*fixed;
};

constexpr Axis kByLength{"distance-by-length",   "L", "visible tokens L",
                         &DistancePoint::length, "N", &DistancePoint::n};
constexpr Axis kByN{"distance-by-n",   "N", "selected tokens N",
                    &DistancePoint::n, "L", &DistancePoint::length};

plot::LineSeries series_of(const Curve& curve, const std::vector<DistancePoint>& points,
                           const Axis& axis) {
  plot::LineSeries series{.name = curve.name, .css_class = curve.css_class, .mark = curve.mark};
  for (const DistancePoint& point : points) {
    const double x = point.*axis.along;
    series.points.push_back(
        spread_point(x, point.*curve.spread,
                     fmt::format("{}, {} = {}", curve.name, axis.symbol, count_text(x))));
  }
  return series;
}

plot::LineChart chart_of(const std::vector<DistancePoint>& points, const Axis& axis) {
  plot::LineChart chart{
      .label = fmt::format("Distances and bounds against {}. The table below has the numbers.",
                           axis.symbol),
      .x_label = axis.label,
      .y_label = "summed distance, mean over heads",
      .y_spacing = plot::Spacing::logarithmic,
      .width = kPanelWidth};
  for (const Curve& curve : kCurves) {
    const bool is_there =
        std::any_of(points.begin(), points.end(),
                    [&](const DistancePoint& point) { return (point.*curve.spread).has_value(); });
    if (is_there) chart.series.push_back(series_of(curve, points, axis));
  }
  return chart;
}

DataTable numbers(const std::vector<DistancePoint>& points) {
  DataTable table{
      .caption = "Mean over the heads; in brackets, their middle half.",
      .columns = {"Tokens", "$L$", "$N$", "$D$", "$E$ in full", "$E$ with the factor", "bound",
                  "sharp bound"},
  };
  for (const DistancePoint& point : points) {
    table.rows.push_back({tokens_cell(point.without_first), count_text(point.length),
                          count_text(point.n), spread_text(point.distance),
                          spread_text(point.expected_full), spread_text(point.expected_factor),
                          spread_text(point.bound), spread_text(point.sharp_bound)});
  }
  return table;
}

/// What the last point of a panel says.
std::string last_point(const std::vector<DistancePoint>& points) {
  const DistancePoint& last = points.back();
  if (!last.distance || !(last.distance->mean > 0)) return {};
  std::string beside;
  const auto add = [&](const char* name, const MaybeSpread& other, const auto& text) {
    if (!other) return;
    beside += fmt::format("{}{} {}", beside.empty() ? "; relative to it, " : ", ", name,
                          text(other->mean / last.distance->mean));
  };
  add("$E$ read in full is", last.expected_full, short_number);
  add("$E$ with the factor is", last.expected_factor, short_number);
  add("the bound is", last.bound, short_number);
  add("its sharp form is", last.sharp_bound, ratio_text);
  return fmt::format(" At $L = {}$, $N = {}$, {}: $D$ is {} on average{}.", count_text(last.length),
                     count_text(last.n), tokens_words(last.without_first), mean_text(last.distance),
                     beside);
}

bool has_expected(const std::vector<DistancePoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const DistancePoint& point) {
    return point.expected_full || point.expected_factor;
  });
}

std::string figure(const std::vector<DistancePoint>& points, const Axis& axis, FigureFiles& files) {
  std::vector<plot::Panel> panels;
  std::string sentences;
  for (const bool without_first : {false, true}) {
    const std::vector<DistancePoint> kept = points_with(points, without_first);
    const plot::LineChart chart = chart_of(kept, axis);
    if (!plot::has_points(chart)) continue;
    panels.push_back(panel(fmt::format("{}, ${} = {}$", tokens_words(without_first),
                                       axis.fixed_symbol, count_text(kept.front().*axis.fixed)),
                           chart));
    sentences += last_point(kept);
  }
  const std::string caption = fmt::format(
      "Against ${}$: the distance $D$ of the $N$ largest weights{} and the bounds on $D$. Lines "
      "are means over the heads, bands their middle half; both axes are logarithmic.{}",
      axis.symbol,
      has_expected(points)
          ? ", its mean $E$ over all choices of $N$ tokens in the two readings of the paper,"
          : "",
      sentences);
  return figure_html({axis.name, panels, caption, numbers(points), csv_rows(points)}, files);
}

}  // namespace

std::string real_distance(const Measurements& measured, FigureFiles& files) {
  const std::string by_length = figure(measured.figures.distance_by_length, kByLength, files);
  const std::string by_n = figure(measured.figures.distance_by_n, kByN, files);
  if (by_length.empty() && by_n.empty()) return {};
  std::string out =
      heading(files, "real-distance", "How far the rest lies from the selected tokens") +
      paragraph(
          "A head selects the $N$ tokens with the largest weights. $D$ adds up how far the "
          "weighted vectors of all other tokens lie from the weighted sum of the selected ones. "
          "$E$ is what $D$ would be if the $N$ tokens were drawn blindly. Where $D$ and $E$ are "
          "alike, the selection makes no difference to this measure.");
  if (!by_length.empty()) out += "<h4>Against the number of visible tokens</h4>\n" + by_length;
  if (!by_n.empty()) out += "<h4>Against the number of selected tokens</h4>\n" + by_n;
  return out;
}

}  // namespace attn::report
