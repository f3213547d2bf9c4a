#include <fmt/format.h>

#include <algorithm>

#include "reports/plot/charts.hpp"
#include "reports/text/format.hpp"

namespace attn::plot {
namespace {

constexpr double kWidth = 340, kHeight = 132;
constexpr double kMargin = 8, kTop = 22, kBaseline = kHeight - 26;
constexpr double kOverGap = 14;  // before the bar of ratios above 1
constexpr double kOverWidth = 24;
constexpr double kLeastHeight = 1.5;  // a count that is not zero stays visible beside a large one

}  // namespace

Svg draw(const RatioHistogram& histogram) {
  Svg svg(kWidth, kHeight, histogram.label);
  const std::vector<std::uint64_t>& bins = histogram.bins;
  const std::uint64_t most = std::ranges::max(bins);
  const Axis height(Spacing::linear, 0, static_cast<double>(most), 0, kBaseline - kTop);
  const std::size_t inner = bins.size() - 1;
  const double end = kWidth - kMargin - kOverWidth - kOverGap, over = end + kOverGap;
  const Axis x(Spacing::linear, 0, static_cast<double>(inner), kMargin, end);
  svg.text({kMargin, 12}, fmt::format("tallest bar: {} cases", report::grouped(most)),
           "tick start");
  for (std::size_t i = 0; i <= inner; ++i) {
    if (bins[i] == 0) continue;
    const double bar = std::max(height(static_cast<double>(bins[i])), kLeastHeight);
    const double left = i < inner ? x(static_cast<double>(i)) : over;
    svg.rect({left, kBaseline - bar, i < inner ? x(1) - x(0) - 1 : kOverWidth, bar},
             i < inner ? histogram.css_class : "bar over");
  }
  svg.line({kMargin, kBaseline}, {end, kBaseline}, "axis");
  svg.line({over, kBaseline}, {over + kOverWidth, kBaseline}, "axis");
  svg.text({kMargin, kHeight - 8}, "0", "tick start");
  svg.text({(kMargin + end) / 2, kHeight - 8}, "left side / right side", "tick middle");
  svg.text({end, kHeight - 8}, "1", "tick end");
  svg.text({over + kOverWidth / 2, kHeight - 8}, "> 1", "tick middle");
  return svg;
}

}  // namespace attn::plot
