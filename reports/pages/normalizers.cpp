#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/io/csv.hpp"
#include "reports/judge/statements.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// The critical N of a normaliser: "12", or that there is none, and why.
std::string critical_n_words(const Measurements& measured, const NormalizerPoint& point,
                             const std::optional<double>& n) {
  if (n) return count_text(*n);
  if (!point.largest_weight) return "none: weights undefined";
  return lacks_heads_for_critical_n(measured) ? "none: too few heads" : "none";
}

/// Normalisers, each once whatever its T: "softmax" of "softmax, T/2".
std::size_t count_of_names(const std::vector<NormalizerPoint>& points) {
  std::set<std::string_view> names;
  for (const NormalizerPoint& point : points) {
    names.insert(std::string_view(point.name).substr(0, point.name.find(',')));
  }
  return names.size();
}

}  // namespace

Blocks normalizers_section(const Measurements& measured, const std::string& name) {
  const std::vector<NormalizerPoint>& points = measured.figures.normalizers;
  if (points.empty()) return {};
  const double longest = std::ranges::max(points, {}, &NormalizerPoint::length).length;
  Table table{
      .caption = fmt::format("At $L = {}$: means over the heads; in brackets, their middle "
                             "half.",
                             count_text(longest)),
      .columns = {"Normaliser", "Tokens", "Critical $N$ at level 0.01, sum in full",
                  "Critical $N$ at level 0.01, lower bound of $E$", "$N_s/N$", "At $N$",
                  "Largest weight", "On the first half", "Weight sum", "Entropy, nats", "$||J||$"},
      .text_columns = 2};
  for (const NormalizerPoint& point : points) {
    if (point.length != longest) continue;
    table.rows.push_back({point.name, tokens_words(point.without_first, measured),
                          critical_n_words(measured, point, point.critical_n_full),
                          critical_n_words(measured, point, point.critical_n_factor),
                          spread_text(point.share), point.n ? count_text(*point.n) : "-",
                          spread_text(point.largest_weight), spread_text(point.largest_weight_half),
                          spread_text(point.weight_sum), spread_text(point.entropy),
                          spread_text(point.norm)});
  }
  const Figure all{.name = name + "-normalizers",
                   .caption = "All lengths.",
                   .rows = csv_rows(points),
                   .is_small = true};
  return section(
      "normalizers", "Other normalisers on the same logits",
      "The same rows of logits, turned into weights in other ways. The model was "
      "trained with softmax at its own temperature: the table does not say how one "
      "trained with the others behaves. The entropy is that of the weights divided "
      "by their sum. On the first half: the largest weight that the normaliser gives the "
      "first half of the same logits.",
      {},
      {Folded{fmt::format("{} normalisers at L = {}", count_of_names(points), count_text(longest)),
              {table}},
       all});
}

}  // namespace attn::report
