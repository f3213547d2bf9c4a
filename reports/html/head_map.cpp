#include "reports/html/head_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/html/heads.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

constexpr double kWidth = 260;
constexpr double kFaintest = 0.15;   // a cell just above `over`
constexpr double kStrongest = 0.55;  // the largest; what is written on it must stand out

/// The strength of the colour of a value.
double strength(const HeadMap& map, double value, double largest) {
  if (!(value > map.over)) return value / map.full;
  const double highest = std::min(largest, 1e300);
  return kFaintest + (kStrongest - kFaintest) * reproducible::log(value / map.over) /
                         reproducible::log(highest / map.over);
}

const HeadValue& least_of(const HeadMap& map) {
  return *std::min_element(map.values.begin(), map.values.end(),
                           [](const auto& a, const auto& b) { return a.value < b.value; });
}

const HeadValue& largest_of(const HeadMap& map) {
  return *std::max_element(map.values.begin(), map.values.end(),
                           [](const auto& a, const auto& b) { return a.value < b.value; });
}

}  // namespace

plot::HeatMap drawing_of(const HeadMap& map) {
  plot::HeatMap drawing{.label = fmt::format("{} by layer and head", map.title),
                        .width = kWidth,
                        .full_text = short_number(map.full)};
  if (map.values.empty()) return drawing;
  const HeadValue& largest = largest_of(map);
  for (const HeadValue& at : map.values) {
    drawing.cells.push_back(
        {.row = at.layer,
         .column = at.head,
         .value = strength(map, at.value, largest.value),
         .is_over = at.value > map.over,
         .tooltip = fmt::format("layer {}, head {}: {}", at.layer, at.head, at.text),
         .href = fmt::format("#{}", head_anchor(map.prefix, at.layer, at.head))});
  }
  return drawing;
}

std::string drawing_html(const HeadMap& map, const std::string& note) {
  return fmt::format("{}<p class=\"note\">{} to {}{}{}</p>", plot::draw(drawing_of(map)).str(),
                     escape_html(least_of(map).text), escape_html(largest_of(map).text),
                     note.empty() ? "" : "; ", note);
}

std::string map_html(const HeadMap& map, const std::string& heading, const std::string& note) {
  return fmt::format("<div><p class=\"panel-title\">{}</p>{}</div>\n", heading,
                     drawing_html(map, note));
}

plot::Panel panel_of(plot::HeatMap map, const std::string& title) {
  for (plot::HeatCell& cell : map.cells) cell.href.clear();
  return {title, plot::draw(map)};
}

DataTable layers_by_heads(const HeadMap& map) {
  std::map<unsigned, std::map<unsigned, std::string>> layers;
  std::set<unsigned> heads;
  for (const HeadValue& at : map.values) {
    layers[at.layer][at.head] = at.text;
    heads.insert(at.head);
  }
  DataTable table{.caption = map.title + ", by layer and head.", .columns = {"Layer"}};
  for (const unsigned head : heads) table.columns.push_back(fmt::format("{}", head));
  for (const auto& [layer, values] : layers) {
    std::vector<std::string> row{fmt::format("{}", layer)};
    for (const unsigned head : heads) {
      const auto found = values.find(head);
      row.push_back(found == values.end() ? "-" : found->second);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace attn::report
