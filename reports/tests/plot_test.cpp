#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pugixml.hpp>

#include "reports/plot/axis.hpp"
#include "reports/plot/bar_chart.hpp"
#include "reports/plot/box_chart.hpp"
#include "reports/plot/dot_chart.hpp"
#include "reports/plot/heat_map.hpp"
#include "reports/plot/legend.hpp"
#include "reports/plot/line_chart.hpp"
#include "reports/plot/scale.hpp"
#include "reports/plot/sheet.hpp"
#include "reports/plot/svg.hpp"
#include "reports/tests/text.hpp"

namespace attn::plot {
namespace {

using testing::HasSubstr;
using testing::Not;

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

TEST(RatioHistogram, OfNothingIsFlat) {
  for (const Rect& bar : layout({.label = "h", .bins = {0, 0}, .css_class = "bar"}).bars) {
    EXPECT_EQ(bar.height, 0);
  }
}

TEST(Axis, MapsAndClampsLinearly) {
  const Axis axis(Spacing::linear, 0, 10, 100, 0);
  EXPECT_EQ(axis(0), 100);
  EXPECT_EQ(axis(2.5), 75);
  EXPECT_EQ(axis(-5), 100);
  EXPECT_EQ(axis(11), 0);
  EXPECT_TRUE(axis.holds(10));
  EXPECT_FALSE(axis.holds(10.1));
}

TEST(Axis, MapsByTheLogarithm) {
  const Axis axis(Spacing::logarithmic, 0.01, 100, 0, 400);
  EXPECT_NEAR(axis(0.01), 0, 1e-9);
  EXPECT_NEAR(axis(0.1), 100, 1e-9);
  EXPECT_NEAR(axis(1), 200, 1e-9);
  EXPECT_NEAR(axis(1e-5), 0, 1e-9);
}

std::vector<std::string> labels_of(const std::vector<Tick>& ticks) {
  std::vector<std::string> labels;
  labels.reserve(ticks.size());
  for (const Tick& tick : ticks) labels.push_back(tick.label);
  return labels;
}

TEST(Axis, HasRoundTicks) {
  using testing::ElementsAre;
  EXPECT_THAT(labels_of(Axis(Spacing::linear, 0, 1, 0, 100).ticks()),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(labels_of(Axis(Spacing::logarithmic, 0.001, 10, 0, 100).ticks()),
              ElementsAre("0.001", "0.01", "0.1", "1", "10"));
  EXPECT_THAT(labels_of(Axis(Spacing::logarithmic, 20, 500, 0, 100).ticks()),
              ElementsAre("20", "50", "100", "200", "500"));
  const std::vector<Tick> wide = Axis(Spacing::logarithmic, 1e-12, 1e12, 0, 100).ticks();
  EXPECT_LE(wide.size(), 8u);
  EXPECT_EQ(wide.front().label, "1e-12");
}

TEST(Axis, SpellsNumbersShort) {
  EXPECT_EQ(tick_text(0), "0");
  EXPECT_EQ(tick_text(-0.0), "0");
  EXPECT_EQ(tick_text(10000), "10000");
  EXPECT_EQ(tick_text(2e6), "2e6");
  EXPECT_EQ(tick_text(0.00001), "1e-5");
  EXPECT_EQ(tick_text(0.1 + 0.2), "0.3");
}

TEST(Axis, EndsAtRoundValues) {
  const Axis linear = rounded_axis(Spacing::linear, 0.3, 0.47, 0, 100);
  EXPECT_EQ(linear.low(), 0);
  EXPECT_DOUBLE_EQ(linear.high(), 0.5);
  const Axis log = rounded_axis(Spacing::logarithmic, 0.03, 700, 0, 100);
  EXPECT_DOUBLE_EQ(log.low(), 0.02);
  EXPECT_DOUBLE_EQ(log.high(), 1000);
  const Axis one = rounded_axis(Spacing::logarithmic, 5, 5, 0, 100);
  EXPECT_LT(one.low(), one.high());
  EXPECT_GE(rounded_axis(Spacing::logarithmic, 1e-300, 1, 0, 100).low(), 1e-10);
  EXPECT_LT(rounded_axis(Spacing::linear, 0, 0, 0, 100).low(), 1);
  EXPECT_DOUBLE_EQ(rounded_axis(Spacing::linear, -0.7, 0.2, 0, 100).low(), -0.8);
}

LineChart line_chart() {
  return {.label = "c",
          .x_label = "x",
          .y_label = "y",
          .series = {{.name = "s",
                      .css_class = "s",
                      .mark = Mark::circle,
                      .points = {{1, 2, 1, 3}, {10, 4, 3, 4}, {100, 6, 5, 8}}}},
          .width = 400};
}

TEST(LineChart, DrawsPointsWhereTheyAre) {
  const LineChart chart = line_chart();
  const LineLayout at = layout(chart);
  EXPECT_NEAR(at.at(10, 0).x, (at.at(1, 0).x + at.at(100, 0).x) / 2, 1e-9);
  EXPECT_DOUBLE_EQ(at.at(1, 0).y, at.bottom);
  EXPECT_GE(at.at(1, 8).y, at.top) << "the range of the last point fits";
  EXPECT_LE(at.at(100, 0).x, at.right);
  EXPECT_THAT(labels_of(at.x_ticks), testing::ElementsAre("1", "10", "100"));
  const std::string drawing = draw(chart).str();
  EXPECT_EQ(occurrences(drawing, "<circle"), 3u);
  EXPECT_EQ(occurrences(drawing, "s link"), 1u);
  EXPECT_EQ(occurrences(drawing, "s band"), 1u);
}

TEST(LineChart, SpacesValuesByTheirLogarithmWhereAsked) {
  LineChart chart = line_chart();
  chart.y_spacing = Spacing::logarithmic;
  chart.series[0].points = {{1, 1, 1, 1}, {2, 10, 10, 10}, {3, 100, 100, 100}};
  const LineLayout at = layout(chart);
  EXPECT_NEAR(at.at(1, 10).y, (at.at(1, 1).y + at.at(1, 100).y) / 2, 1e-9);
  EXPECT_DOUBLE_EQ(at.at(1, 1).y, at.bottom);
  EXPECT_DOUBLE_EQ(at.at(1, 100).y, at.top);
  EXPECT_EQ(occurrences(draw(chart).str(), "band"), 0u) << "a range of no width";
}

TEST(LineChart, TakesItsBandThroughPointsOfNoWidth) {
  LineChart chart = line_chart();
  chart.series[0].points = {{1, 1, 1, 1}, {2, 1, 0.5, 2}};
  const std::string drawing = draw(chart).str();
  const std::size_t band = drawing.find("<polygon");
  ASSERT_NE(band, std::string::npos);
  const std::string points = drawing.substr(band, drawing.find("/>", band) - band);
  EXPECT_EQ(occurrences(points, ","), 4u);
}

TEST(LineChart, LeavesAGapWhereThereIsNoValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LineChart chart = line_chart();
  chart.y_spacing = Spacing::logarithmic;
  for (const double gap : {nan, 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    chart.series[0].points = {{1, 1}, {2, 1}, {3, gap}, {4, 1}, {5, 1}};
    const std::string drawing = draw(chart).str();
    EXPECT_EQ(occurrences(drawing, "<circle"), 4u);
    EXPECT_EQ(occurrences(drawing, "<polyline"), 2u);
    EXPECT_EQ(occurrences(drawing, "nan"), 0u);
    EXPECT_EQ(occurrences(drawing, "inf"), 0u);
  }
}

BoxChart box_chart() {
  const Box box{.min = 0, .q1 = 0.25, .median = 0.5, .q3 = 0.75, .max = 1, .mean = 0.6};
  return {.label = "b",
          .x_label = "x",
          .y_label = "y",
          .groups = {"1", "5", "10"},
          .series = {{.name = "s", .css_class = "s", .boxes = {box, box, box}},
                     {.name = "t", .css_class = "t", .boxes = {box, std::nullopt, box}}},
          .lines = {{.name = "bound", .css_class = "l", .values = {0.5, -3.0, 0.2}}},
          .region = Region{"usual", 0.7, 0.85},
          .width = 400};
}

TEST(BoxChart, BreaksLinesAndSurvivesNothing) {
  BoxChart chart = box_chart();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  chart.lines[0].values = {0.5, std::nullopt, 0.2};
  chart.series[0].boxes[0]->mean = nan;
  const std::string drawing = draw(chart).str();
  EXPECT_EQ(occurrences(drawing, "l link"), 0u);
  EXPECT_EQ(occurrences(drawing, "s box"), 2u);
  EXPECT_EQ(occurrences(drawing, "nan"), 0u);
  EXPECT_THAT(draw(BoxChart{.label = "empty", .x_label = "x", .y_label = "y", .width = 100}).str(),
              HasSubstr("<svg"));
}

TEST(HeatMap, ClampsValuesAndSurvivesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  HeatMap map{.label = "m", .cells = {{.value = 7}, {.column = 1, .value = nan}}, .width = 100};
  const std::string drawing = draw(map).str();
  EXPECT_THAT(drawing, HasSubstr("fill-opacity=\"1\""));
  EXPECT_THAT(drawing, HasSubstr("fill-opacity=\"0\""));
  EXPECT_THAT(draw({.label = "empty", .cells = {}, .width = 100}).str(), HasSubstr("<svg"));
}

Panel small_panel(const char* title) {
  Svg drawing(100, 50, title);
  drawing.rect({0, 0, 100, 50}, "box");
  return {title, drawing, {{.name = "series", .css_class = "hue-1", .shape = Key::Shape::box}}};
}

TEST(Sheet, PutsPanelsInRowsBelowTheLegendWithoutOverlap) {
  for (std::size_t count = 1; count <= 9; ++count) {
    const std::vector<Panel> panels(count, small_panel("a panel"));
    const SheetLayout at = layout(panels);
    ASSERT_EQ(at.panels.size(), count);
    ASSERT_EQ(at.keys.size(), 1u) << "one entry for the series that all panels share";
    for (std::size_t i = 0; i < count; ++i) {
      const Point corner = at.panels[i];
      EXPECT_GE(corner.x, 0);
      EXPECT_LE(corner.x + 100, at.width);
      EXPECT_GT(corner.y, at.keys[0].y);
      EXPECT_LE(corner.y + 50, at.height);
      for (std::size_t k = 0; k < i; ++k) {
        const bool apart =
            std::abs(corner.x - at.panels[k].x) >= 100 || std::abs(corner.y - at.panels[k].y) >= 50;
        EXPECT_TRUE(apart) << i << " and " << k << " of " << count;
      }
    }
    EXPECT_EQ(at.panels[std::min(columns_of(count), count) - 1].y, at.panels[0].y);
  }
}

TEST(Sheet, BreaksALongLegendIntoLines) {
  Panel panel = small_panel("a panel");
  for (int i = 0; i < 8; ++i)
    panel.keys.push_back({fmt::format("the long name of series {}", i), "hue-1"});
  const SheetLayout at = layout({panel});
  EXPECT_GT(at.keys.back().y, at.keys.front().y);
  EXPECT_GT(at.panels[0].y, at.keys.back().y);
  for (const Point& key : at.keys) EXPECT_LT(key.x, at.width);
}

TEST(SvgFile, IsADocumentWithItsColoursWrittenOut) {
  const std::string file =
      sheet("two panels", {small_panel("left"), small_panel("right")}).document();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(file.c_str())) << file;
  const pugi::xml_node root = document.child("svg");
  EXPECT_GT(root.attribute("width").as_double(), 200);
  EXPECT_STREQ(root.attribute("aria-label").value(), "two panels");
  EXPECT_THAT(file, Not(HasSubstr("style"))) << "which a policy may take away";
  EXPECT_THAT(file, Not(HasSubstr("var("))) << "which few readers of SVG know";
  EXPECT_EQ(occurrences(file, "class=\"box\" fill-opacity=\".2\""), 2u);
}

}  // namespace
}  // namespace attn::plot
