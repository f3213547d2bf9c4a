#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <map>
#include <set>

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

/// "by contribution"; "at random", whichever tokens are kept besides.
std::string ranking_words(const SetSizeCurve& curve) {
  return curve.ranking.starts_with("random") ? "at random" : "by " + curve.ranking;
}

/// "random + first, own" of "random with the first token and its own".
std::string short_ranking(std::string ranking) {
  constexpr std::pair<const char*, const char*> kShort[] = {
      {" with ", " + "}, {" without ", " - "},     {"the first token", "first"},
      {" and ", ", "},   {"its own token", "own"}, {"its own", "own"}};
  for (const auto& [words, sign] : kShort) boost::replace_all(ranking, words, sign);
  return ranking;
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

/// N* of the curves by weight at the longest length, a row for each way to keep and judge.
Table needs_table(const SetSizes& sizes) {
  double longest = 0;
  for (const SetSizeCurve& curve : sizes.curves) longest = std::max(longest, curve.length);
  Table table{.caption = fmt::format("$N*$ at a tolerance of {}, with tokens chosen by weight.",
                                     percent(kShownTolerance)),
              .columns = {"Kept weights", "Context", "Judged by", "Loss with all, nats", "$N*$"},
              .text_columns = 1};
  for (const SetSizeCurve& curve : sizes.curves) {
    const auto need = shown_need(curve);
    if (curve.length != longest || curve.ranking != "weight" || !need) continue;
    const bool of_all = static_cast<double>(curve.targets) == curve.length - 1;
    table.rows.push_back(
        {curve.renormalized ? "divided by their sum" : "as they are",
         of_all ? fmt::format("2 to {}", count_text(curve.length)) : count_text(curve.length),
         of_all ? "all tokens" : fmt::format("the last {}", curve.targets),
         short_number(curve.loss), count_text(*need)});
  }
  return table;
}

/// The growth that the tolerance allows.
LineSeries tolerance_line(const std::vector<SetSizeCurve>& curves) {
  LineSeries series{.name = "tolerance", .css_class = "ink dashed"};
  for (const SetSizeLoss& loss : curves.front().losses) {
    series.points.push_back({.x = loss.n, .y = kShownTolerance});
  }
  return series;
}

/// Over how many random orders the losses are means, and how exactly; nothing where none was drawn.
std::string orders_words(const std::vector<SetSizeCurve>& curves) {
  std::uint64_t fewest = 0, most = 0;
  double largest_error = 0;
  for (const SetSizeCurve& curve : curves) {
    if (!curve.orders) continue;
    for (const SetSizeLoss& loss : curve.losses) {
      if (loss.n >= curve.length) continue;
      const std::uint64_t orders = loss.orders.value_or(*curve.orders);
      fewest = fewest == 0 ? orders : std::min(fewest, orders);
      most = std::max(most, orders);
      largest_error = std::max(largest_error, loss.standard_error.value_or(0));
    }
  }
  if (most == 0) return {};
  const std::string range =
      fewest == most ? std::to_string(most) : fmt::format("{} to {}", fewest, most);
  std::string words = fmt::format(" At random each point is a mean over {} orders", range);
  if (largest_error > 0) {
    words += fmt::format(", with a standard error over them of at most {}", percent(largest_error));
  }
  return words + ".";
}

Figure loss_figure(const std::vector<SetSizeCurve>& curves, const std::string& name) {
  constexpr std::pair<const char*, Mark> kLooks[] = {
      {"hue-1", Mark::circle},         {"hue-2", Mark::diamond},
      {"hue-3", Mark::square},         {"hue-4", Mark::circle},
      {"hue-1 dashed", Mark::diamond}, {"hue-2 dashed", Mark::square},
      {"hue-3 dashed", Mark::circle},  {"hue-4 dashed", Mark::diamond}};
  LineChart chart{.label = "Growth of the loss against the tokens that every query keeps",
                  .x_label = "tokens kept, N",
                  .y_label = "growth of the loss, in parts of it (1: doubled)"};
  std::size_t look = 0;
  for (const SetSizeCurve& curve : curves) {
    const auto& [css_class, mark] = kLooks[look++ % std::size(kLooks)];
    LineSeries series{.name = curve.renormalized ? "renormalised" : short_ranking(curve.ranking),
                      .css_class = css_class,
                      .mark = mark};
    for (const SetSizeLoss& loss : curve.losses) {
      LinePoint point{.x = loss.n, .y = loss.relative};
      if (loss.low && loss.high) point.low = *loss.low, point.high = *loss.high;
      series.points.push_back(point);
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back(tolerance_line(curves));
  Text caption =
      "How much worse the model predicts all tokens where every query keeps $N$ tokens, chosen in "
      "several ways.";
  std::map<double, std::set<std::string>> chosen;  // by what they need, but by weight
  for (const SetSizeCurve& curve : curves) {
    if (curve.ranking == "weight") continue;
    chosen[*shown_need(curve)].insert(ranking_words(curve));
  }
  for (const auto& [n, ways] : chosen) {
    caption += fmt::format(" Chosen {}, $N = {}$ keeps the loss within {}.",
                           fmt::join(ways, ", or "), count_text(n), percent(kShownTolerance));
  }
  caption += orders_words(curves);
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
  if (!compared.empty()) {
    Blocks& column = figures.columns.emplace_back();
    column.emplace_back(loss_figure(compared, name));
    column.emplace_back(needs_table(*measured.set_sizes));
  }
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
