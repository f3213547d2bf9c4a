#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reports/io/csv.hpp"
#include "reports/pages/pages.hpp"
#include "reports/plot/charts.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

using plot::LineChart;
using plot::LinePoint;
using plot::LineSeries;
using plot::Mark;

std::string ranking_words(const SetSizeCurve& curve) {
  const bool is_random = curve.ranking.starts_with("random");
  return (is_random ? "at " : "by ") + curve.ranking + (curve.renormalized ? ", renormalised" : "");
}

std::optional<double> shown_need(const SetSizeCurve& curve) {
  return need_of(curve, kShownTolerance);
}

/// The curves of all tokens at the longest length: those that compare the rankings.
std::vector<SetSizeCurve> rankings(const SetSizes& sizes) {
  std::vector<SetSizeCurve> found;
  double longest = 0;
  for (const SetSizeCurve& curve : sizes.curves) longest = std::max(longest, curve.length);
  for (const SetSizeCurve& curve : sizes.curves) {
    const bool of_all = static_cast<double>(curve.targets) == curve.length - 1;
    if (curve.length == longest && of_all && shown_need(curve)) found.push_back(curve);
  }
  return found;
}

/// The curves by weight that are judged by the same last tokens, by length.
std::vector<SetSizeCurve> by_length(const SetSizes& sizes) {
  std::vector<SetSizeCurve> found;
  for (const SetSizeCurve& curve : sizes.curves) {
    const bool same = curve.targets == sizes.curves.front().targets;
    if (same && curve.ranking == "weight" && !curve.renormalized && shown_need(curve)) {
      found.push_back(curve);
    }
  }
  return found;
}

Figure loss_figure(const std::vector<SetSizeCurve>& curves, const std::string& name) {
  constexpr std::pair<const char*, Mark> kLooks[] = {
      {"hue-1", Mark::circle},         {"hue-2", Mark::diamond},
      {"hue-3", Mark::square},         {"hue-4", Mark::circle},
      {"hue-1 dashed", Mark::diamond}, {"hue-2 dashed", Mark::square},
      {"hue-3 dashed", Mark::circle},  {"hue-4 dashed", Mark::diamond}};
  LineChart chart{.label = "Growth of the loss against the tokens that every query keeps",
                  .x_label = "tokens kept, N",
                  .y_label = "growth of the loss (share of it)"};
  std::size_t look = 0;
  for (const SetSizeCurve& curve : curves) {
    const auto& [css_class, mark] = kLooks[look++ % std::size(kLooks)];
    LineSeries series{.name = curve.renormalized ? "renormalised" : curve.ranking,
                      .css_class = css_class,
                      .mark = mark};
    for (const SetSizeLoss& loss : curve.losses) {
      LinePoint point{.x = loss.n, .y = loss.relative};
      if (loss.low && loss.high) point.low = *loss.low, point.high = *loss.high;
      series.points.push_back(point);
    }
    chart.series.push_back(std::move(series));
  }
  Text caption = "How much worse the model predicts where every query keeps $N$ tokens.";
  std::map<double, std::vector<std::string>> chosen;  // by what they need
  for (const SetSizeCurve& curve : curves) {
    chosen[*shown_need(curve)].push_back(ranking_words(curve));
  }
  for (const auto& [n, ways] : chosen) {
    caption += fmt::format(" Chosen {}, $N = {}$ keeps the loss within {}.",
                           fmt::join(ways, ", or "), count_text(n), percent(kShownTolerance));
  }
  return {.name = name + "-set-size",
          .panels = {{"", plot::draw(chart)}},
          .caption = caption,
          .rows = unfolded(csv_rows(curves), "losses")};
}

Figure length_figure(const std::vector<SetSizeCurve>& curves, const std::string& name) {
  LineSeries series{.name = "N*/L", .css_class = "hue-1", .mark = Mark::circle};
  for (const SetSizeCurve& curve : curves) {
    series.points.push_back({.x = curve.length, .y = *shown_need(curve) / curve.length});
  }
  const LineChart chart{.label = "Share of the context that must be kept, against its length",
                        .x_label = "tokens of the context, L",
                        .y_label = "N*/L at a tolerance of 5 %",
                        .is_of_shares = true,
                        .series = {series}};
  return {
      .name = name + "-set-size-by-length",
      .panels = {{"", plot::draw(chart)}},
      .caption = fmt::format("The share of the context that must be kept for the last {} tokens "
                             "to be predicted within {}: contexts that end together.",
                             curves.front().targets, percent(kShownTolerance)),
      .rows = unfolded(csv_rows(curves), "needs")};
}

Figure error_figure(const std::vector<SetSizeError>& errors, const std::string& name) {
  const auto line = [&](LineSeries series, double SetSizeError::*member) {
    for (const SetSizeError& error : errors) {
      series.points.push_back({.x = error.n, .y = error.*member});
    }
    return series;
  };
  const LineChart chart{
      .label = "Errors of the output of a head and their bounds, against the tokens kept",
      .x_label = "tokens kept, N",
      .y_label = "error (lengths of the output), mean over heads",
      .y_spacing = plot::Spacing::logarithmic,
      .series = {line({"deleted", "hue-1", Mark::circle}, &SetSizeError::deleted),
                 line({"its bound", "hue-1 dashed", {}}, &SetSizeError::mass_bound),
                 line({"renormalised", "hue-2", Mark::diamond}, &SetSizeError::renormalized),
                 line({"its bound", "hue-2 dashed", {}}, &SetSizeError::renormalized_bound),
                 line({"share kept, A", "hue-3", Mark::square}, &SetSizeError::kept)}};
  return {.name = name + "-set-size-errors",
          .panels = {{"", plot::draw(chart)}},
          .caption =
              "What keeping $N$ tokens does to the output of one head, with the proved "
              "bounds of both ways, and the share of the weight that is kept.",
          .rows = csv_rows(errors)};
}

}  // namespace

Blocks set_sizes(const Measurements& measured, const std::string& name) {
  Blocks blocks{Heading{.text = "How many tokens a head needs", .anchor = "set-size"}};
  const MaybeFigure held = held_figure(measured, name + "-held");
  if (!measured.set_sizes) {
    if (held) blocks.emplace_back(*held);
    blocks.emplace_back(Paragraph{"What the loss needs is not measured: " + why_no_loss(measured)});
    return blocks;
  }
  const std::vector<SetSizeCurve> compared = rankings(*measured.set_sizes);
  const std::vector<SetSizeCurve> lengths = by_length(*measured.set_sizes);
  blocks.emplace_back(
      Paragraph{"At every layer, head and query the $N$ first tokens of a ranking are kept and the "
                "weights of the others set to 0, after arXiv 2609.37879. $N*$ is the least $N$ "
                "tested at which the loss grows by no more than the tolerance; the loss need not "
                "fall with every further token."});
  Columns figures;
  if (held) figures.columns.push_back({*held});
  if (!compared.empty()) figures.columns.push_back({loss_figure(compared, name)});
  if (!figures.columns.empty()) blocks.emplace_back(figures);
  if (lengths.size() > 1) {
    blocks.emplace_back(Folded{"How it grows with the context", {length_figure(lengths, name)}});
  }
  if (!measured.set_sizes->errors.empty()) {
    blocks.emplace_back(Folded{"What it does to the output of a head",
                               {error_figure(measured.set_sizes->errors, name)}});
  }
  return blocks;
}

}  // namespace attn::report
