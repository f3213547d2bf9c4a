#include <algorithm>

#include "reports/plot/charts.hpp"

namespace attn::plot {
namespace {

constexpr double kWidth = 500, kMargin = 16;
constexpr double kTop = 30, kRow = 31, kAxisHeight = 46;
constexpr double kRadius = 5;
constexpr double kKeyGap = 24;

void draw_keys(Svg& svg, const std::vector<DotKind>& kinds) {
  double x = kMargin;
  for (const DotKind& kind : kinds) {
    svg.mark({x + kRadius, 10}, kRadius, kind.mark, kind.css_class + " dot");
    svg.text({x + 3 * kRadius, 14}, kind.name, kind.css_class + " name start");
    x += 3 * kRadius + width_of(kind.name) + kKeyGap;
  }
}

void draw_axis(Svg& svg, const Axis& scale, double bottom) {
  for (const Tick& tick : scale.ticks()) {
    svg.line({tick.position, kTop}, {tick.position, bottom},
             tick.label == "1" ? "rule-one" : "grid");
    svg.text({tick.position, bottom + 18}, tick.label, "tick middle");
  }
  svg.text({scale(0), bottom + 38}, "0: loose", "tick start");
  svg.text({scale(1), bottom + 38}, "1: attained", "tick end");
}

}  // namespace

Svg draw(const DotChart& chart) {
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size()) + 6;
  const Axis scale(Spacing::linear, 0, 1, kMargin, kWidth - kMargin);
  Svg svg(kWidth, bottom + kAxisHeight, chart.label);
  draw_keys(svg, chart.kinds);
  draw_axis(svg, scale, bottom);
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
