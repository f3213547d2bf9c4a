#include "reports/plot/bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/plot/scale.hpp"
#include "reports/text/format.hpp"

namespace attn::plot {
namespace {

constexpr double kWidth = 340, kHeight = 130;
constexpr double kLeft = 8, kRight = 8, kTop = 20, kBottom = 24;
constexpr double kOverGap = 14;  // before the bar of ratios above 1
constexpr double kOverWidth = 22;

}  // namespace

HistogramLayout layout(const RatioHistogram& histogram) {
  HistogramLayout at{.width = kWidth, .height = kHeight, .baseline = kHeight - kBottom};
  const std::uint64_t most = *std::max_element(histogram.bins.begin(), histogram.bins.end());
  const LinearScale height(0, static_cast<double>(most), 0, at.baseline - kTop);
  const std::size_t inner = histogram.bins.size() - 1;
  const double end = kWidth - kRight - kOverWidth - kOverGap;
  const LinearScale x(0, static_cast<double>(inner), kLeft, end);
  for (std::size_t i = 0; i <= inner; ++i) {
    const double bar = height(static_cast<double>(histogram.bins[i]));
    const double left = i < inner ? x(static_cast<double>(i)) : end + kOverGap;
    const double width = i < inner ? x(1) - x(0) - 1 : kOverWidth;
    // A count that is not zero stays visible beside a large one.
    const double shown = histogram.bins[i] > 0 ? std::max(bar, 1.5) : 0;
    at.bars.push_back({left, at.baseline - shown, width, shown});
  }
  return at;
}

Svg draw(const RatioHistogram& histogram) {
  const HistogramLayout at = layout(histogram);
  Svg svg(at.width, at.height, histogram.label);
  const std::size_t inner = at.bars.size() - 1;
  const std::uint64_t most = *std::max_element(histogram.bins.begin(), histogram.bins.end());
  svg.text({kLeft, 11}, fmt::format("tallest bar: {} cases", report::grouped(most)), "tick start");
  for (std::size_t i = 0; i < at.bars.size(); ++i) {
    const double bins = static_cast<double>(inner);
    const std::string range = i < inner ? fmt::format("{:g} to {:g}", static_cast<double>(i) / bins,
                                                      static_cast<double>(i + 1) / bins)
                                        : "above 1";
    svg.rect(at.bars[i], i < inner ? histogram.css_class : "bar over",
             fmt::format("{}: {} cases", range, report::grouped(histogram.bins[i])));
  }
  const double end = at.bars[inner - 1].x + at.bars[inner - 1].width;
  svg.line({kLeft, at.baseline}, {end, at.baseline}, "axis");
  svg.line({at.bars[inner].x, at.baseline}, {at.bars[inner].x + kOverWidth, at.baseline}, "axis");
  svg.text({kLeft, at.height - 8}, "0", "tick start");
  svg.text({(kLeft + end) / 2, at.height - 8}, "lhs / rhs", "tick middle");
  svg.text({end, at.height - 8}, "1", "tick end");
  svg.text({at.bars[inner].x + kOverWidth / 2, at.height - 8}, "> 1", "tick middle");
  return svg;
}

}  // namespace attn::plot
