#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reports/plot/bar_chart.hpp"
#include "reports/plot/dot_chart.hpp"
#include "reports/plot/heat_map.hpp"
#include "reports/plot/line_chart.hpp"
#include "reports/plot/scale.hpp"
#include "reports/plot/svg.hpp"

namespace attn::plot {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(LinearScale, MapsEndsToEnds) {
  const LinearScale scale(10, 20, 100, 300);
  EXPECT_EQ(scale(10), 100);
  EXPECT_EQ(scale(15), 200);
  EXPECT_EQ(scale(20), 300);
  EXPECT_EQ(LinearScale(1, 1, 5, 9)(1), 5) << "an empty domain has one position";
}

TEST(RatioScale, IsLinearOverTheWholeWidthWithoutViolations) {
  const RatioScale scale(0.8, 0, 200);
  EXPECT_FALSE(scale.is_broken());
  EXPECT_EQ(scale(0.5), 100);
  EXPECT_EQ(scale(1.0), 200);
  EXPECT_EQ(scale.ticks().size(), 5u);
}

TEST(RatioScale, PutsViolationsPastTheGapInTheirOrder) {
  const RatioScale scale(2000, 0, 1000);
  ASSERT_TRUE(scale.is_broken());
  EXPECT_EQ(scale(1.0), scale.linear_end());
  EXPECT_GT(scale.broken_start(), scale.linear_end());
  EXPECT_GE(scale(1.0000001), scale.broken_start());
  EXPECT_LT(scale(2), scale(20));
  EXPECT_LT(scale(2000), 1000);
  EXPECT_EQ(scale(10000), 1000) << "the axis ends at a power of ten";
}

TEST(RatioScale, KeepsEveryValueInside) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const RatioScale scale(kInfinity, 10, 110);
  for (const double value : {-kInfinity, -1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(scale(value), 10);
  }
  EXPECT_EQ(scale(kInfinity), 110);
  for (const Tick& tick : scale.ticks()) {
    EXPECT_GE(tick.position, 10);
    EXPECT_LE(tick.position, 110);
  }
}

TEST(Svg, EscapesAllText) {
  Svg svg(10, 10, "a \"b\" <c>");
  svg.text({1, 2}, "<script>", "x");
  svg.rect({0, 0, 1, 1}, "y", "p & q");
  const std::string drawing = svg.str();
  EXPECT_THAT(drawing, Not(HasSubstr("<script>")));
  EXPECT_THAT(drawing, HasSubstr("aria-label=\"a &quot;b&quot; &lt;c&gt;\""));
  EXPECT_THAT(drawing, HasSubstr("<title>p &amp; q</title>"));
}

TEST(DotChart, PutsEachRowOnItsOwnLineAndADotAtItsRatio) {
  DotChart chart{.label = "chart",
                 .rows = {{.label = "Holds", .dots = {}, .is_heading = true},
                          {.label = "first", .dots = {{0.5, 0.25, 0.5, Mark::circle, "s", "tip"}}},
                          {.label = "second", .dots = {}}},
                 .width = 600};
  const DotLayout at = layout(chart);
  ASSERT_EQ(at.row_y.size(), 3u);
  EXPECT_LT(at.row_y[0], at.row_y[1]);
  EXPECT_LT(at.row_y[1], at.row_y[2]);
  EXPECT_LT(at.row_y[2], at.bottom);
  EXPECT_GT(at.height, at.bottom);
  EXPECT_DOUBLE_EQ(at.scale(0.5), (at.left + at.right) / 2);
  const std::string drawing = draw(chart);
  EXPECT_EQ(occurrences(drawing, "<circle"), 1u);
  EXPECT_EQ(occurrences(drawing, "class=\"s spread\""), 1u);
  EXPECT_THAT(drawing, HasSubstr("<title>tip</title>"));
  EXPECT_THAT(drawing, HasSubstr(">second</text>"));
}

TEST(DotChart, GivesLabelsAboveTheWholeWidth) {
  DotChart chart{.label = "chart", .rows = {{.label = "first"}}, .width = 350};
  const double beside = layout(chart).left;
  chart.labels_above = true;
  EXPECT_LT(layout(chart).left, beside);
  EXPECT_LT(layout(chart).right, 350);
}

TEST(RatioHistogram, DrawsBarsToScaleOnOneBaseline) {
  const RatioHistogram histogram{.label = "h", .bins = {0, 50, 100, 1}, .css_class = "bar"};
  const HistogramLayout at = layout(histogram);
  ASSERT_EQ(at.bars.size(), 4u);
  EXPECT_EQ(at.bars[0].height, 0);
  EXPECT_DOUBLE_EQ(at.bars[1].height, at.bars[2].height / 2);
  EXPECT_GT(at.bars[3].height, 0) << "one case stays visible";
  for (const Rect& bar : at.bars) EXPECT_DOUBLE_EQ(bar.y + bar.height, at.baseline);
  EXPECT_GT(at.bars[3].x, at.bars[2].x + at.bars[2].width + 5) << "ratios above 1 are set apart";
  EXPECT_LE(at.bars[3].x + at.bars[3].width, at.width);
  EXPECT_EQ(occurrences(draw(histogram), "<rect"), 4u);
}

TEST(RatioHistogram, OfNothingIsFlat) {
  for (const Rect& bar : layout({.label = "h", .bins = {0, 0}, .css_class = "bar"}).bars) {
    EXPECT_EQ(bar.height, 0);
  }
}

TEST(LineChart, DrawsPointsWhereTheyAre) {
  LineChart chart{.label = "c",
                  .x_label = "x",
                  .y_label = "y",
                  .series = {{.name = "s",
                              .css_class = "s",
                              .points = {{1, 2, 1, 3}, {10, 4, 3, 4}, {100, 6, 5, 8}}}},
                  .width = 400};
  const LineLayout at = layout(chart);
  EXPECT_TRUE(at.is_logarithmic);
  EXPECT_NEAR(at.at(10, 0).x, (at.at(1, 0).x + at.at(100, 0).x) / 2, 1e-9);
  EXPECT_DOUBLE_EQ(at.at(1, 0).y, at.bottom);
  EXPECT_GE(at.at(1, 8).y, at.top) << "the range of the last point fits";
  EXPECT_LE(at.at(100, 0).x, at.right);
  EXPECT_EQ(at.x_ticks.size(), 3u);
  const std::string drawing = draw(chart);
  EXPECT_EQ(occurrences(drawing, "<circle"), 3u);
  EXPECT_EQ(occurrences(drawing, "s link"), 2u);
  EXPECT_EQ(occurrences(drawing, "s range"), 3u);
}

TEST(LineChart, LeavesOutWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LineChart chart{
      .label = "c",
      .x_label = "x",
      .y_label = "y",
      .series = {{.name = "s", .css_class = "s", .points = {{3, nan, 0, 0}, {3, 1, 1, 1}}}},
      .width = 400};
  const LineLayout at = layout(chart);
  EXPECT_FALSE(at.is_logarithmic);
  EXPECT_DOUBLE_EQ(at.at(3, 0).x, (at.left + at.right) / 2) << "one position, in the middle";
  EXPECT_EQ(occurrences(draw(chart), "<circle"), 1u);
  chart.series.clear();
  EXPECT_EQ(occurrences(draw(chart), "nan"), 0u);
}

TEST(HeatMap, HasACellForEachHead) {
  HeatMap map{.label = "m", .cells = {}, .width = 100};
  for (unsigned layer = 0; layer < 2; ++layer) {
    for (unsigned head = 0; head < 3; ++head) {
      map.cells.push_back({.row = layer, .column = head, .value = 0.5, .is_over = head == 2});
    }
  }
  const HeatLayout at = layout(map);
  EXPECT_EQ(at.rows, 2u);
  EXPECT_EQ(at.columns, 3u);
  EXPECT_DOUBLE_EQ(at.rect(1, 2).x - at.rect(1, 1).x, at.cell);
  EXPECT_DOUBLE_EQ(at.rect(1, 2).y - at.rect(0, 2).y, at.cell);
  EXPECT_LE(at.rect(1, 2).x + at.rect(1, 2).width, map.width);
  const std::string drawing = draw(map);
  EXPECT_EQ(occurrences(drawing, "class=\"heat\""), 4u);
  EXPECT_EQ(occurrences(drawing, "class=\"heat over\""), 2u);
  EXPECT_EQ(occurrences(drawing, "fill-opacity=\"0.5\""), 6u);
}

TEST(HeatMap, ClampsValuesAndSurvivesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  HeatMap map{.label = "m", .cells = {{.value = 7}, {.column = 1, .value = nan}}, .width = 100};
  const std::string drawing = draw(map);
  EXPECT_THAT(drawing, HasSubstr("fill-opacity=\"1\""));
  EXPECT_THAT(drawing, HasSubstr("fill-opacity=\"0\""));
  EXPECT_THAT(draw({.label = "empty", .cells = {}, .width = 100}), HasSubstr("<svg"));
}

}  // namespace
}  // namespace attn::plot
