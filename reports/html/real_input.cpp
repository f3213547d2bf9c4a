#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "reports/escape.hpp"
#include "reports/format.hpp"
#include "reports/html/measured.hpp"
#include "reports/html/sections.hpp"
#include "reports/json_reader.hpp"
#include "reports/plot/heat_map.hpp"

namespace attn::report {
namespace {

constexpr double kLargeMap = 640, kSmallMap = 260;
constexpr double kFaintest = 0.3;  // a cell just above 1, beside 1 for the largest ratio
constexpr const char* kPrintedBound = "corollary3";

struct HeadClaim {
  std::uint64_t cases{}, violated{};
  std::optional<double> max_ratio;
};

struct Head {
  unsigned layer{}, head{};
  std::uint64_t rows{};
  std::map<std::string, HeadClaim> claims{};
};

std::vector<Head> heads_of(const Reader& gpt2) {
  std::vector<Head> heads;
  if (!gpt2.has("heads") || !gpt2.at("heads").is_array()) return heads;
  for (const Reader& entry : gpt2.at("heads").elements()) {
    Head head{.layer = entry.at("layer").small_count(), .head = entry.at("head").small_count()};
    if (entry.has("rows")) head.rows = entry.at("rows").count();
    if (entry.has("claims")) {
      for (const auto& [id, claim] : entry.at("claims").members()) {
        HeadClaim& counts = head.claims[id];
        counts.cases = claim.at("cases").count();
        counts.violated = claim.at("violated").count();
        if (claim.has("max_ratio")) counts.max_ratio = claim.at("max_ratio").number();
      }
    }
    heads.push_back(std::move(head));
  }
  return heads;
}

/// The claims that any head has, in the order of the report.
std::vector<std::string> claims_of(const std::vector<Head>& heads, const Report& report) {
  std::vector<std::string> ids;
  for (const ClaimView& view : by_claim(report)) {
    const std::string& id = view.any().id;
    const bool is_there = std::any_of(heads.begin(), heads.end(),
                                      [&](const Head& head) { return head.claims.count(id) > 0; });
    if (is_there) ids.push_back(id);
  }
  return ids;
}

std::string head_name(const Head& head) {
  return fmt::format("layer {}, head {}", head.layer, head.head);
}

std::string failing_share_map(const std::vector<Head>& heads) {
  plot::HeatMap map{.label =
                        "Share of rows in which the printed bound of Corollary 3 fails, by "
                        "layer and head. The table below has the numbers.",
                    .width = kLargeMap};
  std::uint64_t cases = 0, violated = 0;
  for (const Head& head : heads) {
    const auto found = head.claims.find(kPrintedBound);
    if (found == head.claims.end() || found->second.cases == 0) continue;
    const HeadClaim& claim = found->second;
    cases += claim.cases;
    violated += claim.violated;
    const double share = static_cast<double>(claim.violated) / static_cast<double>(claim.cases);
    map.cells.push_back({.row = head.layer,
                         .column = head.head,
                         .value = share,
                         .text = fmt::format("{:.0f}", 100 * share),
                         .tooltip = fmt::format("{}: fails in {} of {} rows", head_name(head),
                                                grouped(claim.violated), grouped(claim.cases))});
  }
  if (map.cells.empty()) return {};
  return fmt::format(
      R"(<h3>Where the printed gradient bound fails</h3>
<p>The printed bound of {} fails in {} of {} rows of attention: {}.</p>
<figure>
<div class="one-map">{}</div>
<figcaption>Per cent of rows in which the printed bound fails, by layer and head. The stronger the colour, the more often.</figcaption>
</figure>
)",
      claim_link(kPrintedBound), grouped(violated), grouped(cases), percent(violated, cases),
      plot::draw(map));
}

std::string ratio_map(const std::vector<Head>& heads, const std::string& id) {
  plot::HeatMap map{.label = fmt::format("Largest lhs/rhs of {} by layer and head", id),
                    .width = kSmallMap};
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const Head& head : heads) {
    const auto found = head.claims.find(id);
    if (found == head.claims.end() || !found->second.max_ratio) continue;
    const double ratio = *found->second.max_ratio;
    lowest = std::min(lowest, ratio);
    highest = std::max(highest, ratio);
    map.cells.push_back({.row = head.layer,
                         .column = head.head,
                         .value = ratio,
                         .is_over = ratio > 1,
                         .tooltip = fmt::format("{}: {}", head_name(head), ratio_text(ratio))});
  }
  if (map.cells.empty()) return {};
  for (plot::HeatCell& cell : map.cells) {
    if (cell.is_over)
      cell.value =
          kFaintest + (1 - kFaintest) * std::log(cell.value) / std::log(std::min(highest, 1e300));
  }
  return fmt::format("<div><h5>{}</h5>{}<p class=\"note\">{} to {}</p></div>\n", claim_link(id),
                     plot::draw(map), ratio_text(lowest), ratio_text(highest));
}

std::string ratio_maps(const std::vector<Head>& heads, const std::vector<std::string>& ids) {
  std::string maps;
  for (const std::string& id : ids) maps += ratio_map(heads, id);
  if (maps.empty()) return {};
  return fmt::format(
      R"(<h3>How tight each bound is, head by head</h3>
<figure>
<div class="maps">
{}</div>
<figcaption>The largest lhs/rhs of each claim by layer and head, from 0 (no colour) to 1 (full colour); red cells exceed 1, the stronger the further.</figcaption>
</figure>
)",
      maps);
}

std::string heads_table(const std::vector<Head>& heads, const std::vector<std::string>& ids) {
  std::string out = R"(<details><summary>The numbers behind the maps</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Heads">
<table>
<caption>Largest lhs/rhs by head; in brackets, violated cases where there are any.</caption>
<thead><tr><th scope="col">Layer</th><th scope="col">Head</th><th scope="col" class="number">Rows</th>)";
  for (const std::string& id : ids) {
    out += fmt::format(R"(<th scope="col" class="number">{}</th>)", escape_html(id));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const Head& head : heads) {
    out += fmt::format(R"(<tr><td>{}</td><td>{}</td><td class="number">{}</td>)", head.layer,
                       head.head, grouped(head.rows));
    for (const std::string& id : ids) {
      const auto found = head.claims.find(id);
      std::string cell = "-";
      if (found != head.claims.end()) {
        const HeadClaim& claim = found->second;
        if (claim.max_ratio) cell = ratio_text(*claim.max_ratio);
        if (claim.violated > 0) cell += fmt::format(" ({})", grouped(claim.violated));
      }
      out += fmt::format(R"(<td class="number">{}</td>)", cell);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n</details>\n";
}

/// A plain value, or a short list of them.
std::string value_text(const nlohmann::json& value) {
  if (!value.is_array()) return scalar_text(value);
  std::vector<std::string> parts;
  for (const nlohmann::json& element : value) parts.push_back(scalar_text(element));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Whether `value` is plain or a list of plain values.
bool is_plain(const nlohmann::json& value) {
  return !value.is_object() &&
         std::none_of(value.begin(), value.end(),
                      [](const nlohmann::json& element) { return element.is_structured(); });
}

/// What was read: the plain values of the block and short lists of them.
std::string input_table(const nlohmann::json& gpt2) {
  std::string rows;
  for (const auto& [name, value] : gpt2.items()) {
    if (name == "heads" || !is_plain(value)) continue;
    std::string spaced_name = name;
    std::replace(spaced_name.begin(), spaced_name.end(), '_', ' ');
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_html(spaced_name),
                        escape_html(value_text(value)));
  }
  if (rows.empty()) return {};
  return fmt::format(
      "<div class=\"scroll\"><table class=\"fields\">\n<caption>What was read.</caption>\n"
      "<tbody>\n{}</tbody>\n</table></div>\n",
      rows);
}

}  // namespace

std::string real_input_section(const Report& report) {
  if (!report.gpt2) return {};
  const std::vector<Head> heads = heads_of(Reader(*report.gpt2, "/gpt2"));
  const std::vector<std::string> ids = claims_of(heads, report);
  std::string out = R"(<section id="real">
<h2>Real attention</h2>
<p>The same claims, judged by the same code, on the attention of a trained model. Queries, keys and values are taken as exact numbers; a row sees the tokens up to its own.</p>
)";
  out += input_table(*report.gpt2);
  out += failing_share_map(heads);
  out += ratio_maps(heads, ids);
  if (!heads.empty()) out += heads_table(heads, ids);
  if (report.gpt2->contains("figures")) out += measured_figures(report.gpt2->at("figures"));
  return out + "</section>\n";
}

}  // namespace attn::report
