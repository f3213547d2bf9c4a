#include "reports/io/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <map>
#include <string_view>

#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using Row = std::map<std::string, std::string>;

/// The fields that place a row, in the order of their columns.
constexpr std::string_view kPlaces[] = {
    "claim", "status",      "stage",   "name",   "reading", "direction", "without_first", "layer",
    "head",  "temperature", "epsilon", "length", "n",       "samples",   "from",          "to"};

std::size_t rank_of(std::string_view column) {
  return static_cast<std::size_t>(std::ranges::find(kPlaces, column) - std::begin(kPlaces));
}

/// Text that no spreadsheet takes for a formula and no terminal for a command: controls are spaces,
/// and before a beginning that would make it a formula, and is not a number's, stands a '.
std::string harmless(const std::string& text) {
  const std::string line = one_line(text);
  const std::size_t begin = line.find_first_not_of(' ');
  const bool is_formula = begin != std::string::npos &&
                          std::string_view("=+-@").find(line[begin]) != std::string_view::npos;
  return is_formula && !number_from<double>(line) ? "'" + line : line;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  return fmt::format("\"{}\"", boost::replace_all_copy(text, "\"", "\"\""));
}

std::string cell_text(const json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? quoted(harmless(value.get<std::string>())) : value.dump();
}

void flatten(const json& object, const std::string& prefix, Row& row,
             std::vector<std::string>& columns) {
  for (const auto& [field, value] : object.items()) {
    const std::string column = prefix + field;
    if (value.is_object()) {
      flatten(value, column + ".", row, columns);
    } else if (!value.is_array()) {
      row[column] = cell_text(value);
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    }
  }
}

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

std::string csv_text(const json& rows) {
  std::vector<Row> flat;
  std::vector<std::string> columns;
  for (const json& row : rows) flatten(row, {}, flat.emplace_back(), columns);
  std::ranges::stable_sort(columns, {}, rank_of);
  std::vector<std::string> names;
  for (const std::string& column : columns) names.push_back(quoted(harmless(column)));
  std::string out = line_of(names);
  for (Row& row : flat) {
    std::vector<std::string> cells;
    for (const std::string& column : columns) cells.push_back(row[column]);
    out += line_of(cells);
  }
  return out;
}

json unfolded(const json& rows, const std::string& field) {
  json all = json::array();
  for (const json& row : rows) {
    for (json element : row.at(field)) {
      for (const auto& [name, value] : row.items()) {
        if (value.is_primitive()) element[name] = value;
      }
      all.push_back(std::move(element));
    }
  }
  return all;
}

}  // namespace attn::report
