#include <fmt/format.h>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/io/csv.hpp"
#include "reports/text/format.hpp"

namespace attn::report {

std::string real_sink(const Measurements& measured, FigureFiles& files) {
  plot::LineChart chart{.label = "Share of the first token against L.",
                        .x_label = "visible tokens L",
                        .y_label = "share of the weight",
                        .width = kPanelWidth};
  plot::LineSeries series{.name = "first token", .css_class = "hue-1", .mark = plot::Mark::circle};
  plot::LineSeries even{.name = "1/L, an even share", .css_class = "ink dashed"};
  DataTable numbers{
      .caption = "The weight of the first token, over the heads.",
      .columns = {"$L$", "mean", "least", "quarter", "median", "three quarters", "most"}};
  for (const SinkPoint& point : measured.figures.sink) {
    if (!point.share) continue;
    const Spread& share = *point.share;
    series.points.push_back(
        spread_point(point.length, share, fmt::format("L = {}", count_text(point.length))));
    if (point.length > 0) even.points.push_back({.x = point.length, .y = 1 / point.length});
    numbers.rows.push_back({count_text(point.length), short_number(share.mean),
                            short_number(share.min), short_number(share.q1),
                            short_number(share.median), short_number(share.q3),
                            short_number(share.max)});
  }
  if (series.points.empty()) return {};
  const std::vector<std::string>& last = numbers.rows.back();
  const std::string caption = fmt::format(
      "The share of a row's weight that the first token takes, against $L$: the mean over the "
      "heads and their middle half. At $L = {}$ it is {} on average and {} in the median head.",
      last[0], last[1], last[4]);
  chart.series = {even, series};
  return heading(files, "real-sink", "How much the first token takes") +
         paragraph(
             "Trained models often park weight on the first token, which says little about the "
             "text "
             "(an attention sink). Where they do it bends every measure, so each is taken a second "
             "time "
             "where nothing can be read from the first token.") +
         figure_html({"first-token",
                      {panel("all tokens", chart)},
                      caption,
                      numbers,
                      csv_rows(measured.figures.sink)},
                     files);
}

}  // namespace attn::report
