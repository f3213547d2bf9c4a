#include "reports/plot/dot_chart.hpp"

#include <algorithm>

#include "reports/plot/scale.hpp"

namespace attn::plot {
namespace {

constexpr double kWidth = 500, kMargin = 16;
/// Half of "1e300", the longest label of a tick, which stands at the right end.
constexpr double kEnd = 22;
constexpr double kTop = 30, kRow = 31, kAxisHeight = 46;
constexpr double kRadius = 5;
constexpr double kKeyGap = 24;

double highest_ratio(const DotChart& chart) {
  double highest = 0;
  for (const DotRow& row : chart.rows) {
    for (const double ratio : row.ratios) highest = std::max(highest, ratio);
  }
  return highest;
}

void draw_keys(Svg& svg, const std::vector<DotKind>& kinds) {
  double x = kMargin;
  for (const DotKind& kind : kinds) {
    svg.mark({x + kRadius, 10}, kRadius, kind.mark, kind.css_class + " dot");
    svg.text({x + 3 * kRadius, 14}, kind.name, kind.css_class + " name start");
    x += 3 * kRadius + width_of(kind.name) + kKeyGap;
  }
}

void draw_axis(Svg& svg, const RatioScale& scale, double right, double bottom) {
  if (scale.is_broken()) {
    svg.rect({scale.broken_start(), kTop, right - scale.broken_start(), bottom - kTop},
             "lane-over");
  }
  for (const Tick& tick : scale.ticks()) {
    const bool is_one = tick.label == "1";
    svg.line({tick.position, kTop}, {tick.position, bottom}, is_one ? "rule-one" : "grid");
    svg.text({tick.position, bottom + 18}, tick.label, "tick middle");
  }
  svg.text({kMargin, bottom + 38}, "0: loose", "tick start");
  svg.text({scale.linear_end() - 6, bottom + 38}, "1: attained", "tick end");
  if (scale.is_broken()) svg.text({right, bottom + 38}, "violated", "over name end");
}

}  // namespace

Svg draw(const DotChart& chart) {
  const double right = kWidth - kEnd;
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size()) + 6;
  const RatioScale scale(highest_ratio(chart), kMargin, right);
  Svg svg(kWidth, bottom + kAxisHeight, chart.label);
  draw_keys(svg, chart.kinds);
  draw_axis(svg, scale, right, bottom);
  double y = kTop;
  for (const DotRow& row : chart.rows) {
    y += kRow;
    svg.text({kMargin, y - 11}, row.label, "start");
    const auto [least, most] = std::ranges::minmax(row.ratios);
    svg.line({scale(least), y}, {scale(most), y}, "axis");
    for (std::size_t i = 0; i < row.ratios.size(); ++i) {
      svg.mark({scale(row.ratios[i]), y}, kRadius, chart.kinds[i].mark,
               chart.kinds[i].css_class + " dot");
    }
  }
  return svg;
}

}  // namespace attn::plot
