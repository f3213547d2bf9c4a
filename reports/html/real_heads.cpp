#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/format.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/head_map.hpp"
#include "reports/html/math.hpp"
#include "reports/html/real_input.hpp"

namespace attn::report {
namespace {

/// A measure of each head, drawn from 0 to the value that gets the full colour.
struct Field {
  const char* name;  ///< in report.json
  const char* title;
  const char* words;
  double full;  ///< 0: the largest value seen
};

constexpr Field kFields[] = {
    {"sink_share", "Weight of the first token", "mean over the rows", 0},
    {"distance_over_bound", "D over its bound", "1 is a bound attained", 1},
    {"share", "N_s/N", "selected tokens that can be told from the rest", 1},
    {"random_share", "N_s/N at random", "the same for N tokens at random", 1},
    {"f_score", "F score", "of telling the selected tokens from the rest", 1},
    {"largest_t_norm", "Largest T ||J||",
     "over the rows, at the model's own T; above 0.25 the printed bound fails", 0.5}};

HeadMap map_of(const Field& field, const std::vector<HeadRecord>& heads) {
  HeadMap map{.title = field.title, .values = {}, .full = field.full};
  double most = 0;
  for (const HeadRecord& head : heads) {
    const auto found = head.fields.find(field.name);
    if (found == head.fields.end() || !std::isfinite(found->second)) continue;
    map.values.push_back({.layer = head.layer,
                          .head = head.head,
                          .value = found->second,
                          .text = short_number(found->second)});
    most = std::max(most, found->second);
  }
  if (map.full == 0) map.full = most > 0 ? most : 1;
  return map;
}

/// The N that the measures of a selection belong to, as far as the heads agree on one.
std::string selection_words(const std::vector<HeadRecord>& heads) {
  std::set<double> counts;
  for (const HeadRecord& head : heads) {
    const auto n = head.fields.find("n");
    if (n != head.fields.end()) counts.insert(n->second);
  }
  if (counts.size() != 1) return {};
  return fmt::format(" The measures of a selection are means over the rows, for N = {}.",
                     count_text(*counts.begin()));
}

}  // namespace

std::string real_heads(const Measurements& measured) {
  std::string maps, tables;
  for (const Field& field : kFields) {
    const HeadMap map = map_of(field, measured.heads);
    if (map.values.empty()) continue;
    maps += map_html(
        map, math_html(field.title),
        math_html(fmt::format("{}; full colour at {}", field.words, short_number(map.full))));
    tables += folded_table(fmt::format("{}: the numbers", field.title), layers_by_heads(map));
  }
  if (maps.empty()) return {};
  return "<h3 id=\"real-heads\">Head by head</h3>\n<figure>\n<div class=\"maps\">\n" + maps +
         "</div>\n<figcaption>One cell for each head, layers down and heads across. The stronger "
         "the colour, the larger the value; below each map, the least and the largest." +
         selection_words(measured.heads) + "</figcaption>\n</figure>\n" + tables;
}

}  // namespace attn::report
