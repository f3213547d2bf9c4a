#include <fmt/format.h>

#include <functional>
#include <map>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/judge/statements.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

using ByLength = std::map<double, std::vector<NormalizerPoint>, std::greater<>>;

DataTable table_of(const Measurements& measured, const std::vector<NormalizerPoint>& points) {
  DataTable table{
      .caption = fmt::format("At $L = {}$, {}: the mean over the heads; in brackets, their "
                             "middle half.",
                             count_text(points.front().length),
                             tokens_words(points.front().without_first)),
      .columns = {"Normaliser", "critical $N$, in full", "critical $N$, with the factor", "$N_s/N$",
                  "at $N$", "largest weight", "weight sum", "entropy, nats", "$||J||$"}};
  for (const NormalizerPoint& point : points) {
    table.rows.push_back({point.name, critical_n_words(measured, point, point.critical_n_full),
                          critical_n_words(measured, point, point.critical_n_factor),
                          spread_text(point.share), point.n ? count_text(*point.n) : "-",
                          spread_text(point.largest_weight), spread_text(point.weight_sum),
                          spread_text(point.entropy), spread_text(point.norm)});
  }
  return table;
}

/// The points of one length: a table for all tokens, one without the first.
std::string tables_html(const Measurements& measured, const std::vector<NormalizerPoint>& points) {
  std::string tables;
  for (const bool without_first : {false, true}) {
    const std::vector<NormalizerPoint> variant = points_with(points, without_first);
    if (!variant.empty()) tables += table_html(table_of(measured, variant));
  }
  return tables;
}

}  // namespace

std::string real_normalizers(const Measurements& measured, FigureFiles& files) {
  if (measured.figures.normalizers.empty()) return {};
  ByLength by_length;
  for (const NormalizerPoint& point : measured.figures.normalizers) {
    by_length[point.length].push_back(point);
  }
  std::string out =
      heading(files, "real-normalizers", "Other normalisers on the same logits") +
      paragraph(
          "The same rows of logits, turned into weights in other ways. The model was trained with "
          "softmax at its own temperature: the table says what the others would do to these "
          "logits, "
          "not how a model trained with them would behave. The entropy is that of the weights "
          "divided "
          "by their sum.");
  bool is_longest = true;
  for (const auto& [length, points] : by_length) {
    const std::string tables = tables_html(measured, points);
    out += is_longest ? tables : folded(fmt::format("At $L = {}$", count_text(length)), tables);
    is_longest = false;
  }
  return out;
}

}  // namespace attn::report
