#include <fmt/format.h>

#include <set>

#include "reports/html/figure.hpp"
#include "reports/html/json_text.hpp"
#include "reports/html/math.hpp"
#include "reports/html/real_input.hpp"
#include "reports/io/csv.hpp"
#include "reports/text/abstract.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

std::string agreement_html(const PaperStatement& entry) {
  const char* const css_class = !entry.agrees ? "open" : *entry.agrees ? "yes" : "no";
  return fmt::format(R"(<strong class="agrees-{}">{}</strong>)", css_class, agreement(entry));
}

/// The fields of the points behind an entry: first those that place a point, then the others in
/// the order of the alphabet.
std::vector<std::string> fields_of(const nlohmann::json& points) {
  std::set<std::string> names;
  for (const nlohmann::json& point : points) {
    for (const auto& [name, value] : point.items()) names.insert(name);
  }
  std::vector<std::string> fields;
  for (const char* const place : {"temperature", "length", "n"}) {
    if (names.erase(place) > 0) fields.push_back(place);
  }
  fields.insert(fields.end(), names.begin(), names.end());
  return fields;
}

DataTable points_of(const PaperStatement& entry) {
  const nlohmann::json points = csv_rows(entry.points);
  const std::vector<std::string> fields = fields_of(points);
  DataTable table{.caption = "What the estimate rests on.", .columns = {}};
  for (const std::string& field : fields) {
    const bool is_symbol = field.size() == 1;
    table.columns.push_back(is_symbol ? fmt::format("${}$", field) : field_words(field));
  }
  for (const nlohmann::json& point : points) {
    std::vector<std::string> row;
    row.reserve(fields.size());
    for (const std::string& field : fields) {
      row.push_back(point.contains(field) ? scalar_text(point.at(field)) : "-");
    }
    if (!row.empty()) table.rows.push_back(std::move(row));
  }
  return table;
}

std::string entry_html(const PaperStatement& entry, const std::string& prefix) {
  const std::string interval = interval_words(entry);
  return fmt::format(
      "<div class=\"abstract-entry\" id=\"{}abstract-{}\">\n<p class=\"says\">{}</p>\n<p>{} "
      "{}</p>\n"
      "{}{}</div>\n",
      prefix, escape_html(entry.id), math_html(entry.says), agreement_html(entry),
      math_html(entry.measured),
      interval.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", math_html(interval)),
      folded_table("The numbers behind it", points_of(entry)));
}

}  // namespace

std::string real_abstract(const Measurements& measured, FigureFiles& files) {
  if (measured.abstract.empty()) return {};
  std::string out =
      heading(files, "real-abstract", "What the abstract says, measured") +
      "<p>Statements of the paper's abstract and of its experiments, each beside an estimate "
      "from these activations, which holds for this model and this text. A statement agrees "
      "where its whole interval lies in what is stated, and does not where it lies wholly "
      "outside.</p>\n";
  for (const PaperStatement& entry : measured.abstract) out += entry_html(entry, files.prefix);
  return out;
}

std::string abstract_in_short(const Measurements& measured, const std::string& prefix) {
  if (measured.abstract.empty()) return {};
  std::string items;
  for (const PaperStatement& entry : measured.abstract) {
    items += fmt::format("<li>{} <a href=\"#{}abstract-{}\">{}</a><br>Measured: {}</li>\n",
                         agreement_html(entry), prefix, escape_html(entry.id),
                         math_html(entry.says), math_html(entry.measured));
  }
  return fmt::format(
      "<h3>What the abstract says, measured{}</h3>\n<ul class=\"abstract\">\n{}</ul>\n",
      measured.input.empty() ? "" : " on " + escape_html(measured.input), items);
}

}  // namespace attn::report
