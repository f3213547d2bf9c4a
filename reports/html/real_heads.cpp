#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

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

/// A measure of the heads, with or without their first token.
struct Variant {
  bool without_first{};
  HeadMap map;
};

HeadMap map_of(const HeadField& field, bool without_first, const std::vector<HeadRecord>& heads,
               const std::string& prefix) {
  HeadMap map{.title = field.title, .values = {}, .full = field.full, .prefix = prefix};
  if (without_first) map.title += ", " + tokens_words(true);
  double most = 0;
  for (const HeadRecord& head : heads) {
    const std::optional<double> value = finite_value(head, without_first, field);
    if (!value) continue;
    map.values.push_back(
        {.layer = head.layer, .head = head.head, .value = *value, .text = short_number(*value)});
    most = std::max(most, *value);
  }
  if (map.full == 0) map.full = most > 0 ? most : 1;
  return map;
}

/// Those that the heads have.
std::vector<Variant> variants_of(const HeadField& field, const std::vector<HeadRecord>& heads,
                                 const std::string& prefix) {
  std::vector<Variant> variants;
  for (const bool without_first : {false, true}) {
    HeadMap map = map_of(field, without_first, heads, prefix);
    if (!map.values.empty()) variants.push_back({without_first, std::move(map)});
  }
  return variants;
}

/// The name of the measure in report.json.
std::string name_of(const HeadField& measure) {
  std::string name;
  for_each_field<HeadNumbers>([&](const auto& field) {
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

nlohmann::json rows_of(const std::vector<Variant>& variants, const std::string& name) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [without_first, map] : variants) {
    for (const HeadValue& at : map.values) {
      rows.push_back({{"without_first", without_first},
                      {"layer", at.layer},
                      {"head", at.head},
                      {name, at.value}});
    }
  }
  return rows;
}

std::string add_files_of(FigureFiles& files, const HeadField& field,
                         const std::vector<Variant>& variants) {
  std::vector<plot::Panel> panels;
  for (const Variant& variant : variants) {
    panels.push_back(panel_of(drawing_of(variant.map), variant.map.title));
  }
  return add_files(files, file_name(field), std::move(panels), rows_of(variants, name_of(field)));
}

/// The maps of a measure below one another, under one heading.
std::string maps_html(const HeadField& field, const std::vector<Variant>& variants,
                      const std::string& links) {
  std::string html;
  for (const auto& [without_first, map] : variants) {
    html += drawing_html(map, tokens_words(without_first));
  }
  return fmt::format("<div><p class=\"panel-title\">{}</p>{}<p class=\"note\">{} {}</p></div>\n",
                     math_html(field.title), html, math_html(fmt::format("{}.", field.words)),
                     links);
}

std::string numbers_html(const HeadField& field, const std::vector<Variant>& variants) {
  std::string tables;
  for (const Variant& variant : variants) tables += table_html(layers_by_heads(variant.map));
  return folded(fmt::format("{}: the numbers", field.title), tables);
}

}  // namespace

std::string real_heads(const Measurements& measured, FigureFiles& files) {
  std::string maps, tables;
  for (const HeadField& field : head_fields()) {
    const std::vector<Variant> variants = variants_of(field, measured.heads, files.prefix);
    if (variants.empty()) continue;
    maps += maps_html(field, variants, add_files_of(files, field, variants));
    tables += numbers_html(field, variants);
  }
  if (maps.empty()) return {};
  const std::string selection = selection_words(measured.heads);
  return heading(files, "real-heads", "Head by head") + "<figure>\n<div class=\"maps\">\n" + maps +
         "</div>\n<figcaption>One cell for each head, layers down and heads across. The stronger "
         "the colour, the larger the value; below each map, the least and the largest." +
         (selection.empty()
              ? ""
              : " The measures of a selection are means over the rows," + selection + ".") +
         kHowToOpen + "</figcaption>\n</figure>\n" + tables;
}

}  // namespace attn::report
