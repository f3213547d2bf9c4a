#include <fmt/format.h>

#include <algorithm>

#include "reports/pages/pages.hpp"
#include "reports/plot/charts.hpp"
#include "reports/record/record_json.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// The claim about a normaliser's constant, and what came of it.
Text claim_cell(const std::string& id, const Report& report, const Names& names) {
  const auto record = std::ranges::find(report.claims, id, &ClaimRecord::id);
  if (record == report.claims.end()) return "-";
  return names.claim_link(id) + " " +
         (record->outcome == Outcome::as_expected ? status_text(record->status)
                                                  : outcome_text(record->outcome));
}

Blocks normalizers(const Report& report, const Names& names) {
  if (report.normalizers.empty()) return {};
  Table table{.caption =
                  "What each normaliser is, its sharp Lipschitz constant, and which assumptions of "
                  "the paper it breaks.",
              .columns = {"Normaliser", "Definition", "Sharp constant", "Breaks", "Claim"},
              .text_columns = 5};
  for (const NormalizerRecord& record : report.normalizers) {
    table.rows.push_back({code(record.name), record.definition, record.constant,
                          record.breaks.empty() ? "-" : record.breaks,
                          claim_cell(record.claim, report, names)});
  }
  return {Heading{.text = "Normalisers", .anchor = "normalizers"},
          Paragraph{"The ways to turn scores into weights, and by how much the weights can move "
                    "when the scores do. The constant bounds the Euclidean length of the change of "
                    "the weights by that of the scores."},
          table};
}

std::string scalar_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  return value.is_number() ? count_text(value.get<double>()) : value.dump();
}

/// The plain values of an object and of those in it, and short lists of them.
void add_fields(Table& table, const std::string& prefix, const nlohmann::ordered_json& object) {
  for (const auto& [name, value] : object.items()) {
    std::string words = prefix + name, text;
    std::ranges::replace(words, '_', ' ');
    if (value.is_object() && prefix.empty()) add_fields(table, words + ": ", value);
    if (!value.is_array() && !value.is_structured() && !value.is_null()) text = scalar_text(value);
    if (value.is_array() && !value.empty() && value.front().is_primitive()) {
      for (const nlohmann::ordered_json& each : value)
        text += (text.empty() ? "" : ", ") + scalar_text(each);
    }
    if (!text.empty()) table.rows.push_back({words, code(text)});
  }
}

}  // namespace

Table comparison_table(const std::vector<const ComparisonRecord*>& records, const Names& names) {
  Table table{.caption =
                  "In how many cases the sharper bound is tighter than the other one, as tight, or "
                  "looser, or not told apart from it by their error bounds; and the median of left "
                  "side / right side of each, below 0 where the left side is.",
              .columns = {"Sharper bound", "Bound", "Cases of", "Cases", "Tighter", "As tight",
                          "Looser", "Not told", "Median, sharper", "Median"},
              .text_columns = 3};
  for (const ComparisonRecord* const record : records) {
    table.rows.push_back(
        {names.claim_link(record->sharp), names.claim_link(record->printed),
         record->input.empty() ? "search" : input_in_short(record->input), grouped(record->cases),
         grouped(record->tighter), grouped(record->as_tight), grouped(record->looser),
         grouped(record->cases - record->tighter - record->as_tight - record->looser),
         ratio_text(record->median_sharp), ratio_text(record->median_printed)});
  }
  return table;
}

MaybeFigure tightness_figure(const Report& report, const std::string& name) {
  plot::DotChart chart{
      .label = "How much of a bound half of the cases use: printed and sharp bounds",
      .kinds = {{"paper's bound", "hue-2", plot::Mark::diamond}, {"our sharper bound", "hue-1"}}};
  nlohmann::json rows = nlohmann::json::array();
  for (const ComparisonRecord& record : report.comparisons) {
    nlohmann::json& row = rows.emplace_back(json_of(record));
    row["claim"] = record.sharp;
    row["input"] = record.input;
    row.erase("sharp");
    if (!record.input.empty()) continue;
    chart.rows.push_back({fmt::format("{} → {}", record.printed, record.sharp),
                          {record.median_printed, record.median_sharp}});
  }
  if (chart.rows.empty()) return std::nullopt;
  return Figure{.name = name,
                .panels = {{"", plot::draw(chart)}},
                .caption =
                    "Each row is two bounds on the same cases of the search. A mark at $x$ says "
                    "that in half of the cases the left side is at least $x$ of the bound: the "
                    "further right, the tighter.",
                .rows = rows};
}

Table fields_table(std::string_view caption, const nlohmann::ordered_json& object) {
  Table table{.caption = std::string(caption), .columns = {"What", "Value"}, .text_columns = 2};
  add_fields(table, "", object);
  return table;
}

Document details_page(const Report& report, const Names& names) {
  Document page{.path = std::string(kDetailsPage),
                .title = "attention-limits: details",
                .above = link("Overview", kOverviewPage),
                .heading = "Details"};
  if (!report.comparisons.empty()) {
    std::vector<const ComparisonRecord*> all;
    for (const ComparisonRecord& record : report.comparisons) all.push_back(&record);
    page.blocks = {Heading{.text = "Sharper bounds", .anchor = "sharper"},
                   Paragraph{"Where this project has a better bound than the printed one, both "
                             "were decided on the same cases. A bound is tighter where its ratio "
                             "of left to right side is certainly nearer to 1."},
                   comparison_table(all, names)};
    if (const auto tightness = tightness_figure(report, "tightness")) {
      append(page.blocks,
             {Heading{.text = "How tight the bounds are", .anchor = "tightness"}, *tightness});
    }
  }
  append(page.blocks, normalizers(report, names));
  append(page.blocks, {Heading{.text = "What was run", .anchor = "provenance"},
                       fields_table("What was run, on what, with what. The same seed and input "
                                    "give the same report but for the times.",
                                    json_of(report.provenance))});
  return page;
}

}  // namespace attn::report
