#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "reports/html/figure.hpp"
#include "reports/html/head_map.hpp"
#include "reports/html/heads.hpp"
#include "reports/html/math.hpp"
#include "reports/html/real_input.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

constexpr const char* kHowToOpen =
    " A cell leads to all numbers of its head: click it, or reach a map with the tab key, choose "
    "with "
    "the arrow keys and press Enter.";

HeadMap map_of(const HeadField& field, const std::vector<HeadRecord>& heads,
               const std::string& prefix) {
  HeadMap map{.title = field.title, .values = {}, .full = field.full, .prefix = prefix};
  double most = 0;
  for (const HeadRecord& head : heads) {
    const std::optional<double> value = finite_value(head, field);
    if (!value) continue;
    map.values.push_back(
        {.layer = head.layer, .head = head.head, .value = *value, .text = short_number(*value)});
    most = std::max(most, *value);
  }
  if (map.full == 0) map.full = most > 0 ? most : 1;
  return map;
}

/// The N that the measures of a selection belong to, as far as the heads agree on one.
std::string selection_words(const std::vector<HeadRecord>& heads) {
  std::set<double> counts;
  for (const HeadRecord& head : heads) {
    if (head.n) counts.insert(*head.n);
  }
  if (counts.size() != 1) return {};
  return fmt::format(" The measures of a selection are means over the rows, for N = {}.",
                     count_text(*counts.begin()));
}

nlohmann::json rows_of(const HeadMap& map, const std::string& name) {
  nlohmann::json rows = nlohmann::json::array();
  for (const HeadValue& at : map.values) {
    rows.push_back({{"layer", at.layer}, {"head", at.head}, {name, at.value}});
  }
  return rows;
}

/// The name of the measure in report.json.
std::string name_of(const HeadField& measure) {
  std::string name;
  for_each_field<HeadRecord>([&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field.member), decltype(measure.member)>) {
      if (field.member == measure.member) name = field.name;
    }
  });
  return name;
}

/// The name of a map's files: "head-sink-share".
std::string file_name(const HeadField& field) {
  std::string name = "head-" + name_of(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

std::string real_heads(const Measurements& measured, FigureFiles& files) {
  std::string maps, tables;
  for (const HeadField& field : head_fields()) {
    const HeadMap map = map_of(field, measured.heads, files.prefix);
    if (map.values.empty()) continue;
    const std::string links =
        add_files(files, file_name(field), {panel_of(drawing_of(map), field.title)},
                  rows_of(map, name_of(field)));
    maps +=
        map_html(map, math_html(field.title), math_html(fmt::format("{}. ", field.words)) + links);
    tables += folded_table(fmt::format("{}: the numbers", field.title), layers_by_heads(map));
  }
  if (maps.empty()) return {};
  return heading(files, "real-heads", "Head by head") + "<figure>\n<div class=\"maps\">\n" + maps +
         "</div>\n<figcaption>One cell for each head, layers down and heads across. The stronger "
         "the colour, the larger the value; below each map, the least and the largest." +
         selection_words(measured.heads) + kHowToOpen + "</figcaption>\n</figure>\n" + tables;
}

}  // namespace attn::report
