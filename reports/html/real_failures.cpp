#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "reports/html/figure.hpp"
#include "reports/html/head_map.hpp"
#include "reports/html/heads.hpp"
#include "reports/html/math.hpp"
#include "reports/html/real_input.hpp"
#include "reports/html/sections.hpp"
#include "reports/plot/heat_map.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

bool has_cases(const HeadRecord& head, const std::string& id) {
  const HeadClaim* const claim = claim_of(head, id);
  return claim != nullptr && claim->cases > 0;
}

plot::HeatMap share_map(const std::vector<HeadRecord>& heads, const std::string& id,
                        const std::string& prefix) {
  plot::HeatMap map{
      .label = fmt::format("Share of cases in which {} fails, by layer and head. The table below "
                           "has the numbers.",
                           id),
      .width = kPanelWidth,
      .full_text = "100 %"};
  for (const HeadRecord& head : heads) {
    const HeadClaim* const claim = claim_of(head, id);
    if (!has_cases(head, id)) continue;
    const double share = static_cast<double>(claim->violated) / static_cast<double>(claim->cases);
    map.cells.push_back(
        {.row = head.layer,
         .column = head.head,
         .value = share,
         .text = share > 0 && share < 0.005 ? "<1" : fmt::format("{:.0f}", 100 * share),
         .tooltip = fmt::format("layer {}, head {}: fails in {} of {} cases", head.layer, head.head,
                                grouped(claim->violated), grouped(claim->cases)),
         .href = fmt::format("#{}", head_anchor(prefix, head.layer, head.head))});
  }
  return map;
}

/// ", in 3 of 12 heads"; empty where the claim is not decided head by head.
std::string in_heads(const std::vector<HeadRecord>& heads, const std::string& id) {
  std::size_t all = 0, failing = 0;
  for (const HeadRecord& head : heads) {
    if (!has_cases(head, id)) continue;
    all += 1;
    failing += claim_of(head, id)->violated > 0 ? 1 : 0;
  }
  return all == 0 ? "" : fmt::format(", in {} of {} heads", failing, all);
}

std::string how_often(const std::vector<HeadRecord>& heads, const ClaimRecord& record) {
  return fmt::format("<li>{} fails in {} of {} cases ({}){}.</li>\n", claim_link(record.id),
                     grouped(record.violated), grouped(record.cases),
                     percent(record.violated, record.cases), in_heads(heads, record.id));
}

/// How the worst case of a record is taken out of report.json and decided anew.
std::string worst_case(const ClaimRecord& record) {
  if (!record.worst || !record.max_ratio || record.worst->input.is_null()) return {};
  const std::string input =
      record.input.empty() ? ""
                           : fmt::format(" and .input == {}", nlohmann::json(record.input).dump());
  const std::string extract = fmt::format(
      "jq '[.claims[] | select(.id == \"{}\" and .stage == \"{}\"{}) | {{claim: .id, case: "
      ".worst.case}}]' report.json > worst.json\nclaims eval worst.json",
      record.id, to_string(record.stage), input);
  return fmt::format(
      "<p>The worst case of {} is {}: left side {}, right side {}, ratio {}. To save it and decide "
      "it again:</p>\n<pre>{}</pre>\n",
      claim_link(record.id),
      record.worst->where.empty() ? "not located" : escape_html(record.worst->where),
      escape_html(six_digits(record.worst->lhs)), escape_html(six_digits(record.worst->rhs)),
      ratio_text(*record.max_ratio), escape_html(extract));
}

/// The most claims that stand beside each other in a table: what fits on paper.
constexpr std::size_t kMostColumns = 8;

/// How often each claim fails, a row a head, in as many tables as the claims take.
std::string counts(const std::vector<HeadRecord>& heads, std::span<const ClaimView> views) {
  std::string tables;
  while (!views.empty()) {
    const std::span<const ClaimView> these = views.first(std::min(kMostColumns, views.size()));
    views = views.subspan(these.size());
    DataTable table{.caption = "Cases in which a bound fails, by layer and head.",
                    .columns = {"Layer", "head", "rows"}};
    for (const ClaimView& view : these) table.columns.push_back(view.any().id);
    for (const HeadRecord& head : heads) {
      table.rows.push_back({fmt::format("{}", head.layer), fmt::format("{}", head.head),
                            grouped(head.rows.value_or(0))});
      for (const ClaimView& view : these) {
        const HeadClaim* const claim = claim_of(head, view.any().id);
        table.rows.back().push_back(
            claim == nullptr
                ? "-"
                : fmt::format("{} of {}", grouped(claim->violated), grouped(claim->cases)));
      }
    }
    tables += table_html(table);
  }
  return folded("The numbers behind the maps", tables);
}

/// The counts of some claims, one row a head and claim.
nlohmann::json rows_of(const std::vector<HeadRecord>& heads, const std::vector<ClaimView>& views) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ClaimView& view : views) {
    for (const HeadRecord& head : heads) {
      const HeadClaim* const claim = claim_of(head, view.any().id);
      if (claim == nullptr) continue;
      rows.push_back(
          {{"claim", view.any().id},
           {"layer", head.layer},
           {"head", head.head},
           {"cases", claim->cases},
           {"violated", claim->violated},
           {"max_ratio", claim->max_ratio ? nlohmann::json(*claim->max_ratio) : nlohmann::json()}});
    }
  }
  return rows;
}

std::string share_maps(const std::vector<HeadRecord>& heads, const std::vector<ClaimView>& views,
                       FigureFiles& files) {
  std::string maps;
  std::vector<ClaimView> false_claims;
  std::vector<plot::Panel> panels;
  for (const ClaimView& view : views) {
    if (view.is_proved()) continue;
    false_claims.push_back(view);
    const plot::HeatMap map = share_map(heads, view.any().id, files.prefix);
    maps += fmt::format("<div><p class=\"panel-title\">{}</p>{}</div>\n", claim_link(view.any().id),
                        plot::draw(map).str());
    panels.push_back(panel_of(map, view.any().id));
  }
  if (maps.empty()) return maps;
  return "<figure>\n<div class=\"panels\">\n" + maps +
         "</div>\n<figcaption>Per cent of the cases in which the bound fails, by layer and head. "
         "The stronger the colour, the more often. " +
         add_files(files, "failures-by-head", panels, rows_of(heads, false_claims)) +
         "</figcaption>\n</figure>\n" + counts(heads, false_claims);
}

/// `views`: the claims that were decided head by head.
std::string failures_part(const Measurements& measured, const Report& report,
                          const std::vector<ClaimView>& views, FigureFiles& files) {
  std::string list, cases;
  for (const ClaimRecord& record : report.claims) {
    const bool is_here = record.stage != Stage::synthetic && record.input == measured.input;
    if (!is_here || record.status == Status::proved || record.cases == 0) continue;
    list += how_often(measured.heads, record);
    cases += worst_case(record);
  }
  if (list.empty()) return list;
  return heading(files, "real-failures", "Where bounds that are false as written fail") + "<ul>\n" +
         list + "</ul>\n" + share_maps(measured.heads, views, files) + cases;
}

HeadMap ratios_of(const std::vector<HeadRecord>& heads, const std::string& id,
                  const std::string& prefix) {
  HeadMap map{
      .title = "Largest lhs/rhs of " + id, .values = {}, .full = 1, .over = 1, .prefix = prefix};
  for (const HeadRecord& head : heads) {
    const HeadClaim* const claim = claim_of(head, id);
    if (claim == nullptr || !claim->max_ratio) continue;
    map.values.push_back({head.layer, head.head, *claim->max_ratio, ratio_text(*claim->max_ratio)});
  }
  return map;
}

std::string tightness_part(const std::vector<HeadRecord>& heads,
                           const std::vector<ClaimView>& views, FigureFiles& files) {
  std::string maps;
  std::vector<plot::Panel> panels;
  for (const ClaimView& view : views) {
    const HeadMap map = ratios_of(heads, view.any().id, files.prefix);
    if (map.values.empty()) continue;
    maps += map_html(map, claim_link(view.any().id), "");
    panels.push_back(panel_of(drawing_of(map), view.any().id));
  }
  if (maps.empty()) return {};
  return heading(files, "real-tightness", "How tight each bound is, head by head") +
         "<figure>\n"
         "<div class=\"maps\">\n" +
         maps +
         "</div>\n<figcaption>The largest lhs/rhs of each claim by layer and head, from 0 (no "
         "colour) to 1 (full colour); red, crossed cells exceed 1, the stronger the further. " +
         add_files(files, "tightness-by-head", panels, rows_of(heads, views)) +
         "</figcaption>\n</figure>\n";
}

}  // namespace

std::string real_failures(const Measurements& measured, const Report& report, FigureFiles& files) {
  const std::vector<ClaimView> views = claims_of(measured.heads, report);
  return failures_part(measured, report, views, files) +
         tightness_part(measured.heads, views, files);
}

}  // namespace attn::report
