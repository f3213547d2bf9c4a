#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <pugixml.hpp>

#include "reports/plot/charts.hpp"
#include "reports/plot/svg.hpp"
#include "reports/tests/text.hpp"

namespace attn::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Svg, EscapesAllText) {
  Svg svg(10, 10, "a \"b\" <c>");
  svg.text({1, 2}, "<script>", "x");
  const std::string drawing = svg.str();
  EXPECT_THAT(drawing, Not(HasSubstr("<script>")));
  EXPECT_THAT(drawing, HasSubstr("aria-label=\"a &quot;b&quot; &lt;c&gt;\""));
}

TEST(SvgFile, IsADocumentWithItsColoursWrittenOut) {
  Svg svg(100, 50, "a drawing");
  svg.rect({0, 0, 100, 50}, "hue-1 band");
  const std::string file = svg.document();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(file.c_str())) << file;
  EXPECT_STREQ(document.child("svg").attribute("aria-label").value(), "a drawing");
  EXPECT_THAT(file, Not(HasSubstr("style"))) << "which a policy may take away";
  EXPECT_THAT(file, Not(HasSubstr("var("))) << "which few readers of SVG know";
  EXPECT_EQ(occurrences(file, "class=\"hue-1 band\" fill=\"#0b62a8\" fill-opacity=\".13\""), 1u);
}

TEST(RatioHistogram, DrawsABarForEachBinThatHasCases) {
  const auto bars = [](std::vector<std::uint64_t> bins) {
    return occurrences(draw({.label = "h", .bins = std::move(bins), .css_class = "gpt2"}).str(),
                       "<rect");
  };
  EXPECT_EQ(bars({0, 0}), 0u);
  EXPECT_EQ(bars({1000000, 0, 1, 5}), 3u);
}

TEST(DotChart, PutsEachRatioOnTheScale) {
  const DotChart chart{.label = "d",
                       .kinds = {{"printed", "hue-2"}, {"sharp", "hue-1"}},
                       .rows = {{"lemma", {0, 1}}}};
  const std::string drawing = draw(chart).str();
  EXPECT_EQ(occurrences(drawing, "<circle"), 4u) << "two of the key";
  EXPECT_THAT(drawing, HasSubstr("cx=\"16\" cy=\"61\""));
  EXPECT_THAT(drawing, HasSubstr("cx=\"484\" cy=\"61\""));
  EXPECT_THAT(drawing, HasSubstr(">1: attained</text>"));
}

TEST(Axis, MapsAndClampsLinearly) {
  const Axis axis(Spacing::linear, 0, 10, 100, 0);
  EXPECT_EQ(axis(0), 100);
  EXPECT_EQ(axis(2.5), 75);
  EXPECT_EQ(axis(-5), 100);
  EXPECT_EQ(axis(std::numeric_limits<double>::quiet_NaN()), 100);
  EXPECT_EQ(axis(11), 0);
  EXPECT_EQ(Axis(Spacing::linear, 1, 1, 5, 9)(1), 5) << "an empty domain has one position";
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
          .series = {{.name = "the series",
                      .css_class = "s",
                      .mark = Mark::circle,
                      .points = {{1, 2, 1, 3}, {10, 4, 3, 4}, {100, 6, 5, 8}}}}};
}

TEST(LineChart, DrawsPointsABandAndTheNameAtTheEnd) {
  const std::string drawing = draw(line_chart()).str();
  EXPECT_EQ(occurrences(drawing, "<circle"), 3u);
  EXPECT_EQ(occurrences(drawing, "s link"), 1u);
  EXPECT_EQ(occurrences(drawing, "s band"), 1u);
  EXPECT_EQ(occurrences(drawing, ">the series</text>"), 1u);
  for (const char* const tick : {">1<", ">10<", ">100<"}) EXPECT_THAT(drawing, HasSubstr(tick));
}

TEST(LineChart, LeavesOutWhatIsNoShare) {
  LineChart chart = line_chart();
  chart.is_of_shares = true;
  EXPECT_FALSE(has_points(chart));
  chart.series[0].points.push_back({200, 0.5});
  EXPECT_TRUE(has_points(chart));
  EXPECT_EQ(occurrences(draw(chart).str(), "<circle"), 1u);
}

TEST(LineChart, KeepsNamesApartAndInsideWhereThereIsRoom) {
  EXPECT_THAT(spread_out({50, 50, 52}, 10, 0, 100), ElementsAre(50, 60, 70));
  EXPECT_THAT(spread_out({95, 97}, 10, 0, 100), ElementsAre(90, 100));
  EXPECT_THAT(spread_out({-5, 80}, 10, 0, 100), ElementsAre(0, 80));
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

TEST(HeatMap, IsAFewElementsWhateverItHolds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  HeatMap map{.label = "m", .cells = {{.value = 7}, {.column = 1, .value = nan}}};
  const std::string drawing = draw(map).str();
  EXPECT_THAT(drawing, HasSubstr("fill-opacity=\"0\""));
  EXPECT_EQ(occurrences(drawing, "nan"), 0u);
  for (unsigned i = 0; i < 4096; ++i) map.cells.push_back({i / 64, i % 64, i / 4096.0, i > 4000});
  EXPECT_LT(occurrences(draw(map).str(), "<"), 40u);
  EXPECT_THAT(draw(HeatMap{.label = "empty", .cells = {}}).str(), HasSubstr("<svg"));
}

}  // namespace
}  // namespace attn::plot
