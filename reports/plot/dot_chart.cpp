#include "reports/plot/dot_chart.hpp"

#include <algorithm>

namespace attn::plot {
namespace {

constexpr double kLabelWidth = 262;
constexpr double kMargin = 16;
/// Half of "1e300", the longest label of a tick, which stands at the right end.
constexpr double kEnd = 22;
constexpr double kTop = 10;
constexpr double kAxisHeight = 46;
constexpr double kRow = 26;
constexpr double kRowWithLabelAbove = 40;
constexpr double kRadius = 5;
constexpr double kBar = 6;
constexpr double kSpread = 9;  // between the dots of one row

double highest_ratio(const DotChart& chart) {
  double highest = 0;
  for (const DotRow& row : chart.rows) {
    for (const Dot& dot : row.dots) highest = std::max(highest, dot.ratio);
  }
  return highest;
}

void draw_axis(Svg& svg, const DotLayout& at) {
  if (at.scale.is_broken()) {
    svg.rect(
        {at.scale.broken_start(), at.top, at.right - at.scale.broken_start(), at.bottom - at.top},
        "lane-over");
  }
  for (const Tick& tick : at.scale.ticks()) {
    const bool is_one = tick.label == "1";
    svg.line({tick.position, at.top}, {tick.position, at.bottom}, is_one ? "rule-one" : "grid");
    svg.text({tick.position, at.bottom + 17}, tick.label, "tick middle");
  }
  svg.text({at.left, at.bottom + 37}, "0 loose", "axis-note start");
  svg.text({at.scale.linear_end() - 6, at.bottom + 37}, "1 attained", "axis-note end");
  if (at.scale.is_broken()) {
    svg.text({at.right, at.bottom + 37}, "violated", "axis-note over end");
  }
}

void draw_dot(Svg& svg, const RatioScale& scale, const Dot& dot, double y) {
  if (dot.low < dot.high) {
    const double left = scale(dot.low), right = scale(dot.high);
    svg.rect({left, y - kBar / 2, right - left, kBar}, dot.css_class + " spread");
  }
  svg.mark({scale(dot.ratio), y}, kRadius, dot.mark, dot.css_class, dot.tooltip);
}

}  // namespace

DotLayout layout(const DotChart& chart) {
  const double left = chart.labels_above ? kMargin : kLabelWidth;
  const double right = chart.width - kEnd;
  DotLayout at{.scale = RatioScale(highest_ratio(chart), left, right),
               .left = left,
               .right = right,
               .top = kTop};
  double y = kTop;
  for (const DotRow& row : chart.rows) {
    const double height = chart.labels_above && !row.is_heading ? kRowWithLabelAbove : kRow;
    at.row_y.push_back(y + height - kRow / 2);
    y += height;
  }
  at.bottom = y + 4;
  at.height = at.bottom + kAxisHeight;
  return at;
}

Svg draw(const DotChart& chart) {
  const DotLayout at = layout(chart);
  Svg svg(chart.width, at.height, chart.label);
  draw_axis(svg, at);
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const DotRow& row = chart.rows[i];
    const double y = at.row_y[i];
    if (row.is_heading) {
      svg.text({chart.labels_above ? at.left : 0, y + 5}, row.label, "row-heading start halo");
      continue;
    }
    if (chart.labels_above) {
      svg.text({at.left, y - 12}, row.label, "row-label start halo");
    } else {
      svg.text({at.left - 16, y + 4}, row.label, "row-label end");
    }
    svg.line({at.left, y}, {at.right, y}, "row-line");
    const double first = y - kSpread * (static_cast<double>(row.dots.size()) - 1) / 2;
    for (std::size_t k = 0; k < row.dots.size(); ++k) {
      draw_dot(svg, at.scale, row.dots[k], first + kSpread * static_cast<double>(k));
    }
  }
  return svg;
}

}  // namespace attn::plot
