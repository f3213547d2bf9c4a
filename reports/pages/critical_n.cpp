#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/judge/statements.hpp"
#include "reports/pages/figure_parts.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

constexpr double kPaperFraction = 0.06;  // of the critical N in L

LineChart critical_n_chart(const std::vector<CriticalPoint>& points) {
  constexpr auto kL = &CriticalPoint::length;
  LineChart chart{.label = "Critical N against L",
                  .x_label = "visible tokens L",
                  .y_label = "critical N",
                  .y_spacing = Spacing::logarithmic};
  const double level =
      points.empty() ? 0 : std::ranges::min(points, {}, &CriticalPoint::level).level;
  for (const auto& [look, reading] :
       {std::pair(LineSeries{"E", "hue-2", Mark::diamond}, Reading::mean),
        std::pair(LineSeries{"lower bound of E", "hue-3", Mark::square}, Reading::factor)}) {
    LineSeries series = look;
    for (const CriticalPoint& point : points) {
      if (point.reading != reading || point.level != level || !point.n) continue;
      LinePoint at{.x = point.length, .y = *point.n};
      if (point.low && point.high) at.low = *point.low, at.high = *point.high;
      series.points.push_back(at);
    }
    chart.series.push_back(std::move(series));
  }
  if (!plot::has_points(chart)) return chart;
  chart.series.push_back(line_of({"paper: 0.06 L", "ink dashed", {}}, points, kL,
                                 [](const CriticalPoint& p) { return kPaperFraction * p.length; }));
  return chart;
}

MaybeFigure critical_n_figure(const Measurements& measured, const std::string& name) {
  return figure_of(measured, measured.figures.critical_n, name, Tokens::both,
                   "The critical $N$ against $L$, at level 0.01, for $E$ and for its lower bound. "
                   "The paper has about $0.06 L$. A length without a critical $N$ has no mark.",
                   critical_n_chart, "95 % intervals by a bootstrap over the heads");
}

std::string_view reading_words(Reading reading) {
  switch (reading) {
    case Reading::mean:
      return "$E$, sampled";
    case Reading::factor:
      return "its lower bound, with the factor $N/(L-1)$";
    case Reading::full:
      return "the sum in full";
  }
  return {};
}

/// The exponent b of N = c L^b by least squares of logarithms, with its 95 % interval by Student's
/// t: "0.62 (0.41 to 0.83)"; "-" of fewer than three lengths.
std::string exponent_text(const std::vector<const CriticalPoint*>& points) {
  const auto count = static_cast<double>(points.size());
  if (points.size() < 3) return "-";
  double mean_x = 0;
  double mean_y = 0;
  for (const CriticalPoint* const point : points) {
    mean_x += std::log(point->length) / count;
    mean_y += std::log(*point->n) / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const CriticalPoint* const point : points) {
    const double x = std::log(point->length) - mean_x;
    const double y = std::log(*point->n) - mean_y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (xx == 0) return "-";
  const double slope = xy / xx;
  const double left = std::max(0.0, yy - slope * xy);
  const boost::math::students_t t(count - 2);
  const double reach = boost::math::quantile(t, 0.975) * std::sqrt(left / (count - 2) / xx);
  return fmt::format("{} ({} to {})", rounded(slope, 3), rounded(slope - reach, 3),
                     rounded(slope + reach, 3));
}

/// How the critical N grows: 0.06 L is linear, with the exponent 1.
Blocks critical_exponents(const Measurements& measured) {
  std::map<std::tuple<bool, Reading, double>, std::vector<const CriticalPoint*>> series;
  for (const CriticalPoint& point : measured.figures.critical_n) {
    std::vector<const CriticalPoint*>& points =
        series[{point.without_first, point.reading, point.level}];
    const bool is_fitted = point.n && *point.n > 0 && point.length >= kShortestOfPaper;
    if (is_fitted) points.push_back(&point);
  }
  Table table{.caption =
                  "The exponent $b$ of $N = c L^b$, fitted to the lengths from 32 on that have a "
                  "critical $N$. A linear $N$ has 1. The 95 % interval is by Student's t from how "
                  "far the lengths are from the fit; that of the sentence on the critical $N$ is "
                  "by a bootstrap over the heads.",
              .columns = {"Tokens", "$D$ is compared with", "Level", "Lengths", "Exponent"},
              .text_columns = 2};
  bool is_fitted = false;
  for (const auto& [key, points] : series) {
    const auto& [without_first, reading, level] = key;
    table.rows.push_back({tokens_words(without_first, measured), reading_words(reading),
                          fmt::format("{}", level), count_text(static_cast<double>(points.size())),
                          exponent_text(points)});
    is_fitted = is_fitted || points.size() > 2;
  }
  return is_fitted ? Blocks{table} : Blocks{};
}

/// "46 (43 to 49)", with its interval; "none".
std::string critical_text(const CriticalPoint& point) {
  if (!point.n) return "none";
  if (!point.low || !point.high) return count_text(*point.n);
  return fmt::format("{} ({} to {})", count_text(*point.n), count_text(*point.low),
                     count_text(*point.high));
}

/// At the longest length, a row for what D is compared with, two columns a level.
Table critical_table(const Measurements& measured) {
  double longest = 0;
  std::map<double, std::size_t> place;  // of a level's columns
  for (const CriticalPoint& point : measured.figures.critical_n) {
    longest = std::max(longest, point.length);
    place[point.level] = 0;
  }
  const bool any_none = std::ranges::any_of(measured.figures.critical_n, [&](const auto& point) {
    return point.length == longest && !point.n;
  });
  Table table{
      .caption = fmt::format(
          "The critical $N$ at $L = {}$, with its 95 % interval; shorter lengths are in the "
          "CSV file. Without the {} shares are of $L - 1$.{}",
          count_text(longest), first_token(measured),
          any_none ? " None: $D$ and $E$ differ at every $N$." : ""),
      .columns = {"Tokens", "$D$ is compared with"},
      .text_columns = 2};
  for (auto& [level, at] : place) {
    at = table.columns.size();
    table.columns.emplace_back(fmt::format("At level {}", level));
    table.columns.emplace_back("Share of $L$");
  }
  std::map<std::pair<bool, Reading>, std::vector<Text>> rows;
  for (const CriticalPoint& point : measured.figures.critical_n) {
    if (point.length != longest) continue;
    std::vector<Text>& row = rows[{point.without_first, point.reading}];
    row.resize(table.columns.size(), "-");
    row[0] = tokens_words(point.without_first, measured);
    row[1] = reading_words(point.reading);
    row[place[point.level]] = critical_text(point);
    if (point.fraction) row[place[point.level] + 1] = percent(*point.fraction);
  }
  for (const auto& [key, row] : rows) table.rows.push_back(row);
  return table;
}

/// How E was sampled: "$E$ is the mean over 16 random sets of the row, ...".
std::string sampling(const std::vector<CriticalPoint>& points) {
  const auto sampled = std::ranges::find_if(
      points, [](const CriticalPoint& point) { return point.draws.has_value(); });
  if (sampled == points.end()) return {};
  return fmt::format(
      " $E$ is the mean over {} random sets of the row at every $N$ up to 16 and in steps of a "
      "tenth beyond; between these $E/(L-N)$ is interpolated.",
      *sampled->draws);
}

}  // namespace

Blocks critical_n_section(const Measurements& measured, const std::string& name) {
  const std::vector<CriticalPoint>& points = measured.figures.critical_n;
  constexpr std::string_view kTitle = "From which N on the selection looks random";
  const std::string anchor = "critical-n";
  if (lacks_heads_for_critical_n(measured) && points.empty()) {
    return {Heading{.text = kTitle, .anchor = anchor},
            Paragraph{"There is no critical $N$: with four heads or fewer no exact two-sample "
                      "Kolmogorov-Smirnov test rejects at level 0.01 or 0.05, however far apart "
                      "$D$ and $E$ are."}};
  }
  const Table table = critical_table(measured);
  Blocks tables;
  if (!table.rows.empty()) tables.emplace_back(table);
  if (const Blocks fitted = critical_exponents(measured); !fitted.empty()) {
    tables.emplace_back(Folded{"How each critical N grows with L", fitted});
  }
  return section(anchor, kTitle,
                 "The critical $N$ is the first $N$ at which a two-sample Kolmogorov-Smirnov test "
                 "cannot tell the values of $D$ and of $E$ apart, one value a head, on the last "
                 "row of each length. The paper has two levels, 0.01 and 0.05. That does not show "
                 "that they are alike: fewer heads give an earlier critical $N$." +
                     sampling(points) +
                     " The sum in full is not $E$; it is inferred that the paper's figure has it.",
                 {critical_n_figure(measured, name + "-critical-n")}, tables);
}

}  // namespace attn::report
