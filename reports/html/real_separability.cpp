#include <fmt/format.h>

#include <algorithm>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/io/csv.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

using plot::Mark;

constexpr double kPaperLow = 0.70, kPaperHigh = 0.85, kPaperFromN = 16;

std::optional<plot::Box> box_of(const MaybeSpread& spread, const std::string& what, double n) {
  if (!spread) return std::nullopt;
  return plot::Box{
      .min = spread->min,
      .q1 = spread->q1,
      .median = spread->median,
      .q3 = spread->q3,
      .max = spread->max,
      .mean = spread->mean,
      .tooltip = fmt::format(
          "{}, N = {}: mean {}, median {}, middle half {} to {}, all {} to {}", what, count_text(n),
          short_number(spread->mean), short_number(spread->median), short_number(spread->q1),
          short_number(spread->q3), short_number(spread->min), short_number(spread->max))};
}

plot::BoxSeries boxes_of(const std::vector<SeparabilityPoint>& points, const char* name,
                         const char* css_class, Mark mark, MaybeSpread SeparabilityPoint::*spread) {
  plot::BoxSeries series{.name = name, .css_class = css_class, .mark = mark};
  for (const SeparabilityPoint& point : points) {
    series.boxes.push_back(box_of(point.*spread, name, point.n));
  }
  return series;
}

void add_bound(plot::BoxChart& chart, const std::vector<SeparabilityPoint>& points,
               const char* name, const char* css_class, MaybeSpread SeparabilityPoint::*spread) {
  plot::GroupLine line{.name = name, .css_class = css_class};
  bool any = false;
  for (const SeparabilityPoint& point : points) {
    const MaybeSpread& at = point.*spread;
    line.values.push_back(at ? std::optional(at->mean) : std::nullopt);
    any = any || at.has_value();
  }
  if (any) chart.lines.push_back(std::move(line));
}

plot::BoxChart share_chart(const std::vector<SeparabilityPoint>& points) {
  plot::BoxChart chart{
      .label = "N_s/N by N with a random control and bounds. The table below has the numbers.",
      .x_label = "selected tokens N",
      .y_label = "share of the selected tokens, by head",
      .region = plot::Region{"0.70 to 0.85, the paper's range", kPaperLow, kPaperHigh},
      .width = kPanelWidth};
  for (const SeparabilityPoint& point : points) chart.groups.push_back(count_text(point.n));
  chart.series = {
      boxes_of(points, "the N largest weights", "hue-1", Mark::circle, &SeparabilityPoint::share),
      boxes_of(points, "N tokens at random", "hue-2", Mark::diamond,
               &SeparabilityPoint::random_share)};
  add_bound(chart, points, "upper bound, repaired", "hue-4 dashed",
            &SeparabilityPoint::upper_bound);
  add_bound(chart, points, "lower bound, sharp", "hue-3 dotted",
            &SeparabilityPoint::lower_bound_sharp);
  add_bound(chart, points, "lower bound, as printed", "ink dashed",
            &SeparabilityPoint::lower_bound);
  return chart;
}

struct Score {
  const char* name;
  MaybeSpread SeparabilityPoint::*spread;
  const char* css_class;
  Mark mark;
};

constexpr Score kScores[] = {{"precision P", &SeparabilityPoint::precision, "hue-2", Mark::diamond},
                             {"recall R", &SeparabilityPoint::recall, "hue-3", Mark::square},
                             {"F score", &SeparabilityPoint::f_score, "hue-1", Mark::circle}};

plot::LineChart score_chart(const std::vector<SeparabilityPoint>& points) {
  plot::LineChart chart{.label = "Precision, recall and F score by N.",
                        .x_label = "selected tokens N",
                        .y_label = "mean over heads",
                        .width = kPanelWidth};
  for (const Score& score : kScores) {
    plot::LineSeries series{.name = score.name, .css_class = score.css_class, .mark = score.mark};
    for (const SeparabilityPoint& point : points) {
      series.points.push_back(
          spread_point(point.n, point.*score.spread,
                       fmt::format("{}, N = {}", score.name, count_text(point.n))));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

DataTable share_numbers(const std::vector<SeparabilityPoint>& points) {
  DataTable table{.caption =
                      "Mean over the heads; in brackets, their middle half. All rows: each "
                      "head's mean over all its rows. Between them: of all rows, the share of "
                      "those where $N_s/N$ lies between the last two bounds.",
                  .columns = {"Tokens", "$N$", "$N_s/N$", "median", "least", "most", "at random",
                              "$N_s/N$, all rows", "at random, all rows", "lower bound",
                              "lower, sharp", "upper bound", "between them"}};
  for (const SeparabilityPoint& point : points) {
    const auto part = [&](double Spread::*which) {
      return point.share ? short_number((*point.share).*which) : "-";
    };
    table.rows.push_back({tokens_cell(point.without_first), count_text(point.n),
                          spread_text(point.share), part(&Spread::median), part(&Spread::min),
                          part(&Spread::max), spread_text(point.random_share),
                          spread_text(point.share_all_rows),
                          spread_text(point.random_share_all_rows), mean_text(point.lower_bound),
                          mean_text(point.lower_bound_sharp), mean_text(point.upper_bound),
                          spread_text(point.between_bounds_all_rows)});
  }
  return table;
}

DataTable score_numbers(const std::vector<SeparabilityPoint>& points) {
  DataTable table{.caption = "Mean over the heads; in brackets, their middle half.",
                  .columns = {"Tokens", "$N$", "precision", "recall", "$F$ score"}};
  for (const SeparabilityPoint& point : points) {
    table.rows.push_back({tokens_cell(point.without_first), count_text(point.n),
                          spread_text(point.precision), spread_text(point.recall),
                          spread_text(point.f_score)});
  }
  return table;
}

/// How the means beyond the paper's N compare with its range, in words.
std::string verdict(const std::vector<SeparabilityPoint>& points) {
  std::string list;
  for (const SeparabilityPoint& point : points) {
    if (point.without_first || !point.share || !(point.n >= kPaperFromN)) continue;
    const double mean = point.share->mean;
    const char* const where = mean < kPaperLow ? "below" : mean > kPaperHigh ? "above" : "inside";
    list += fmt::format("{}{} at $N = {}$ ({})", list.empty() ? "" : ", ", short_number(mean),
                        count_text(point.n), where);
  }
  if (list.empty()) return {};
  return fmt::format(
      " The paper has {:.2f} to {:.2f} from $N = {}$ on; the means here, with all tokens: {}.",
      kPaperLow, kPaperHigh, kPaperFromN, list);
}

/// Why bounds that are proved of directions drawn at random need not fit; empty where nothing was
/// measured of the directions.
std::string assumption(const Measurements& measured) {
  const std::vector<DirectionPoint>& points = measured.figures.directions;
  if (points.empty() || !points.front().length_spread) return {};
  DataTable table{
      .caption = "Mean over the heads; in brackets, their middle half.",
      .columns = {"Tokens", "spread of lengths", "mean direction", "leading direction"}};
  for (const DirectionPoint& point : points) {
    table.rows.push_back({tokens_cell(point.without_first), spread_text(point.length_spread),
                          spread_text(point.mean_direction), spread_text(point.leading_share)});
  }
  return paragraph(
             "Theorem 2 assumes vectors drawn independently and uniformly from a sphere. Those of "
             "a model differ: on a sphere the lengths would not spread (standard deviation over "
             "mean, 0), the mean of uniform directions would have a length of about $1/sqrt(L)$, "
             "and the leading direction, the one that most of them share, would hold about $1/d$ "
             "of their second moments.") +
         table_html(table);
}

bool has_scores(const SeparabilityPoint& point) {
  return point.precision || point.recall || point.f_score;
}

}  // namespace

std::string real_separability(const Measurements& measured, FigureFiles& files) {
  const std::vector<SeparabilityPoint>& points = measured.figures.separability;
  std::vector<plot::Panel> shares, scores;
  for (const bool without_first : {false, true}) {
    const std::vector<SeparabilityPoint> kept = points_with(points, without_first);
    const bool has_share = std::any_of(
        kept.begin(), kept.end(),
        [](const SeparabilityPoint& point) { return point.share || point.random_share; });
    if (has_share) shares.push_back(panel(tokens_words(without_first), share_chart(kept)));
    if (std::any_of(kept.begin(), kept.end(), has_scores)) {
      scores.push_back(panel(tokens_words(without_first), score_chart(kept)));
    }
  }
  if (shares.empty() && scores.empty()) return {};
  const nlohmann::json rows = csv_rows(points);
  const std::string length =
      points.front().length ? fmt::format(" at $L = {}$", count_text(*points.front().length)) : "";
  const std::string share_caption = fmt::format(
      "$N_s/N${} for the selected tokens and for $N$ tokens at random. Boxes hold the middle half "
      "of the heads, whiskers reach to the least and the most, the stroke is the median, the mark "
      "the mean. Lines are the bounds of Theorem 2 on each row's own weights, averaged over the "
      "heads; a triangle says that the bound is off the scale and says nothing. They are bounds on "
      "a mean over vectors drawn at random from a sphere, which the vectors of a model are not: a "
      "share beyond them contradicts nothing.{}",
      length, verdict(points));
  return heading(files, "real-separability", "How many selected tokens can be told from the rest") +
         paragraph(
             "Let $r$ be the distance from the sum of the selected tokens to the nearest token "
             "that was not selected. $N_s$ counts the selected tokens within $r$: those that a "
             "distance can tell from the rest. With one token selected, $N_s/N$ is 1 whatever the "
             "choice; so a random choice stands beside every value.") +
         figure_html({"separability", shares, share_caption, share_numbers(points), rows}, files) +
         assumption(measured) +
         figure_html({"separation-scores", scores,
                      "Recall is the share of the selected tokens nearer than every other token. "
                      "Precision is the share of selected tokens among all those at most as far as "
                      "the farthest selected one. $F$ is their harmonic mean. Lines are means over "
                      "the heads, bands their middle half.",
                      score_numbers(points), rows},
                     files);
}

}  // namespace attn::report
