#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/io/csv.hpp"
#include "reports/judge/statements.hpp"
#include "reports/text/format.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

using plot::Mark;

constexpr double kPaperFraction = 0.06;

struct ReadingStyle {
  Reading reading;
  const char* name;
  const char* css_class;
  Mark mark;
};

constexpr ReadingStyle kReadings[] = {
    {Reading::full, "$E$ read in full", "hue-2", Mark::diamond},
    {Reading::factor, "$E$ with the factor $N/(L-1)$", "hue-3", Mark::square}};

const ReadingStyle& reading_of(const CriticalPoint& point) {
  return *std::ranges::find(kReadings, point.reading, &ReadingStyle::reading);
}

std::string n_text(const std::optional<double>& n) {
  return n ? count_text(*n) : "none";
}

/// A share of the length: "0.06 L".
std::string fraction_text(const CriticalPoint& point) {
  return point.fraction ? fmt::format("{} L", rounded(*point.fraction, 2)) : "-";
}

plot::LineSeries series_of(const ReadingStyle& reading, const std::vector<CriticalPoint>& points) {
  plot::LineSeries series{
      .name = plain_text(reading.name), .css_class = reading.css_class, .mark = reading.mark};
  for (const CriticalPoint& point : points) {
    if (point.reading != reading.reading) continue;
    series.points.push_back({.x = point.length,
                             .y = point.n.value_or(std::numeric_limits<double>::quiet_NaN()),
                             .tooltip = fmt::format("{}, L = {}: N = {}", plain_text(reading.name),
                                                    count_text(point.length), n_text(point.n))});
  }
  return series;
}

plot::LineChart chart_of(const std::vector<CriticalPoint>& points) {
  plot::LineChart chart{.label = "Critical N against L. The table below has the numbers.",
                        .x_label = "visible tokens L",
                        .y_label = "critical N",
                        .y_spacing = plot::Spacing::logarithmic,
                        .width = kPanelWidth};
  plot::LineSeries paper{.name = "0.06 L, as the paper has it", .css_class = "ink dashed"};
  for (const CriticalPoint& point : points) {
    if (paper.points.empty() || paper.points.back().x < point.length) {
      paper.points.push_back({.x = point.length, .y = kPaperFraction * point.length});
    }
  }
  chart.series.push_back(std::move(paper));
  for (const ReadingStyle& reading : kReadings) chart.series.push_back(series_of(reading, points));
  return chart;
}

DataTable numbers(const std::vector<CriticalPoint>& points) {
  DataTable table{
      .caption =
          "The critical $N$ of each length, as a share of $L$, and the Kolmogorov-Smirnov test "
          "where the search for it ended. None: $D$ and $E$ can be told apart at every $N$.",
      .columns = {"Tokens", "Reading", "$L$", "critical $N$", "share", "statistic", "$p$"},
      .text_columns = 2};
  for (const CriticalPoint& point : points) {
    table.rows.push_back({tokens_cell(point.without_first), plain_text(reading_of(point).name),
                          count_text(point.length), n_text(point.n), fraction_text(point),
                          number_text(point.statistic), number_text(point.p)});
  }
  return table;
}

/// What came out at the longest length, one line for each reading and choice of tokens.
std::string at_longest(const std::vector<CriticalPoint>& points) {
  double longest = 0;
  for (const CriticalPoint& point : points) longest = std::max(longest, point.length);
  DataTable table{.caption = fmt::format(
                      "The critical $N$ at $L = {}$; the paper has about ${} L$, that is {}.",
                      count_text(longest), kPaperFraction, short_number(kPaperFraction * longest)),
                  .columns = {"Reading of $E$", "Tokens", "critical $N$", "share of $L$"},
                  .text_columns = 2};
  for (const CriticalPoint& point : points) {
    if (point.length != longest) continue;
    table.rows.push_back({plain_text(reading_of(point).name), tokens_cell(point.without_first),
                          n_text(point.n), fraction_text(point)});
  }
  return table_html(table);
}

/// How the shares of one reading compare with the paper's, in words.
std::string verdict(const ReadingStyle& reading, const std::vector<CriticalPoint>& points) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  std::size_t none = 0, all = 0;
  for (const CriticalPoint& point : points) {
    if (point.reading != reading.reading) continue;
    ++all;
    none += point.n ? 0 : 1;
    least = std::min(least, point.fraction.value_or(least));
    most = std::max(most, point.fraction.value_or(most));
  }
  std::string out;
  if (least <= most) {
    out = fmt::format(" With {} the shares run from ${} L$ to ${} L$.", reading.name,
                      rounded(least, 2), rounded(most, 2));
  }
  if (none > 0) {
    out += fmt::format(" With {} there is no critical $N$ in {} of {} settings.", reading.name,
                       none, all);
  }
  return out;
}

}  // namespace

std::string real_critical_n(const Measurements& measured, FigureFiles& files) {
  const std::vector<CriticalPoint>& points = measured.figures.critical_n;
  const std::string title =
      heading(files, "real-critical-n", "From which N on the selection looks like a random one");
  if (lacks_heads_for_critical_n(measured)) {
    return title + paragraph(
                       "There is no critical $N$: with four heads or fewer no exact two-sample "
                       "Kolmogorov-Smirnov test rejects at level 0.01, however far apart $D$ and "
                       "$E$ are.");
  }
  if (points.empty()) return {};
  std::vector<plot::Panel> panels;
  for (const bool without_first : {false, true}) {
    const std::vector<CriticalPoint> kept = points_with(points, without_first);
    const bool any = std::any_of(kept.begin(), kept.end(),
                                 [](const CriticalPoint& point) { return point.n.has_value(); });
    if (any) panels.push_back(panel(tokens_words(without_first), chart_of(kept)));
  }
  const std::string caption =
      "The critical $N$ against $L$, both axes logarithmic. A length without a critical $N$ has no "
      "mark. The paper has about $0.06 L$." +
      verdict(kReadings[0], points) + verdict(kReadings[1], points);
  std::string out =
      title +
      paragraph(
          "The critical $N$ is the first $N$ at which a two-sample Kolmogorov-Smirnov test at "
          "level 0.01 cannot tell the values of $D$ and of $E$ apart, with one value a head. A "
          "test that cannot tell two samples apart does not show that they are alike: fewer heads "
          "give an earlier critical $N$.") +
      at_longest(points);
  if (panels.empty()) return out + folded_table("All lengths", numbers(points));
  return out +
         figure_html({"critical-n", panels, caption, numbers(points), csv_rows(points)}, files);
}

}  // namespace attn::report
