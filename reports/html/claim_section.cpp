#include <fmt/format.h>

#include "reports/html/figure.hpp"
#include "reports/html/math.hpp"
#include "reports/html/regions.hpp"
#include "reports/html/sections.hpp"
#include "reports/judge/guards.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/plot/bar_chart.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// Cases longer than this are left to report.json.
constexpr std::size_t kLongestCase = 6000;

/// Arguments longer than this, a paragraph of five lines, are folded.
constexpr std::size_t kLongestOpenArgument = 420;

std::string title_html(const ClaimRecord& record) {
  return escape_html(source_title(source_of(record)));
}

std::string_view provenance_words(attn::FormulaOrigin provenance) {
  switch (provenance) {
    case attn::FormulaOrigin::quoted:
      return "Quoted: the formula as printed";
    case attn::FormulaOrigin::reconstructed:
      return "Reconstructed: the formula rebuilt from the paper's prose, proof sketch and figures";
    case attn::FormulaOrigin::derived:
      return "Derived: stated by this project, beside a statement of the paper";
  }
  return {};
}

std::string counts_table(const ClaimView& view) {
  std::string out =
      R"(<div class="scroll" tabindex="0" role="region" aria-label="Verdicts">
<table class="counts">
<caption>Verdicts, and the level at which the decided cases were settled. <em>Outside</em>: cases that do not meet the hypotheses.</caption>
<thead><tr><th scope="col">Stage</th><th scope="col">Outcome</th><th scope="col" class="number">Cases</th><th scope="col" class="number">Hold</th><th scope="col" class="number">Attained</th><th scope="col" class="number">Violated</th><th scope="col" class="number">Undecided</th><th scope="col" class="number">Outside</th><th scope="col" class="number">Double</th><th scope="col" class="number">50 digits</th><th scope="col" class="number">100</th><th scope="col" class="number">200</th></tr></thead>
<tbody>
)";
  for (const ClaimRecord* const record : view.records) {
    const bool fine = record->outcome == Outcome::as_expected;
    out += fmt::format(R"(<tr><th scope="row">{}</th><td{}>{}</td>)", title_html(*record),
                       fine ? "" : R"( class="bad")", to_string(record->outcome));
    for (const std::uint64_t count : {record->cases, record->holds, record->equal, record->violated,
                                      record->undecided, record->assumption_not_met}) {
      out += fmt::format(R"(<td class="number">{}</td>)", grouped(count));
    }
    for (const char* const level : {"filter", "50", "100", "200"}) {
      const auto cases = record->digits.find(level);
      out += fmt::format(R"(<td class="number">{}</td>)",
                         cases == record->digits.end() ? "-" : grouped(cases->second));
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

bool has_ratios(const ClaimRecord& record) {
  for (const std::uint64_t cases : record.ratio_histogram) {
    if (cases > 0) return true;
  }
  return false;
}

/// The bins of all stages, one row each.
nlohmann::json rows_of(const ClaimView& view) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ClaimRecord* const record : view.records) {
    if (!has_ratios(*record)) continue;
    for (std::size_t bin = 0; bin < record->ratio_histogram.size(); ++bin) {
      const bool is_over = bin == kRatioBins;
      rows.push_back({{"claim", record->id},
                      {"stage", to_string(record->stage)},
                      {"input", record->input},
                      {"from", static_cast<double>(bin) / kRatioBins},
                      {"to", is_over ? nlohmann::json("inf")
                                     : nlohmann::json(static_cast<double>(bin + 1) / kRatioBins)},
                      {"cases", record->ratio_histogram[bin]}});
    }
  }
  return rows;
}

/// The bins that have cases in any stage.
DataTable numbers_of(const ClaimView& view) {
  DataTable table{.caption = "Cases by lhs/rhs.", .columns = {"lhs/rhs"}};
  for (const ClaimRecord* const record : view.records) {
    if (has_ratios(*record)) table.columns.push_back(source_title(source_of(*record)));
  }
  for (std::size_t bin = 0; bin <= kRatioBins; ++bin) {
    constexpr auto kBins = static_cast<double>(kRatioBins);
    const auto from = static_cast<double>(bin) / kBins, to = static_cast<double>(bin + 1) / kBins;
    std::vector<std::string> row{bin == kRatioBins ? "above 1"
                                                   : fmt::format("{:.2f} to {:.2f}", from, to)};
    std::uint64_t cases = 0;
    for (const ClaimRecord* const record : view.records) {
      if (!has_ratios(*record)) continue;
      cases += record->ratio_histogram[bin];
      row.push_back(grouped(record->ratio_histogram[bin]));
    }
    if (cases > 0) table.rows.push_back(std::move(row));
  }
  return table;
}

std::string histograms(const ClaimView& view, FigureFiles& files) {
  std::vector<plot::Panel> panels;
  std::string drawings;
  for (const ClaimRecord* const record : view.records) {
    if (!has_ratios(*record)) continue;
    const plot::RatioHistogram histogram{
        .label = fmt::format("Histogram of lhs/rhs for {}, {}: largest {}", record->id,
                             source_title(source_of(*record)),
                             record->max_ratio ? ratio_text(*record->max_ratio) : "not known"),
        .bins = record->ratio_histogram,
        .css_class = fmt::format("bar {}", stage_class(record->stage))};
    panels.push_back({source_title(source_of(*record)), plot::draw(histogram)});
    drawings += fmt::format("<div><p class=\"panel-title\">{}</p>{}</div>\n",
                            escape_html(panels.back().title), panels.back().drawing.str());
  }
  if (panels.empty()) return {};
  return fmt::format(
      "<figure>\n<div class=\"histograms\">\n{}</div>\n<figcaption>Cases by lhs/rhs. Ratios below "
      "0 are in the first bar. {}</figcaption>\n</figure>\n{}",
      drawings, add_files(files, fmt::format("ratios-{}", view.any().id), panels, rows_of(view)),
      folded_table("The numbers behind the figure", numbers_of(view)));
}

std::string families(const ClaimView& view) {
  std::string out;
  for (const ClaimRecord* const record : view.records) {
    if (record->families.empty()) continue;
    std::string list;
    for (const auto& [family, cases] : record->families) {
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", escape_html(family), grouped(cases));
    }
    out +=
        fmt::format("<p class=\"note\">Input families ({}): {}.</p>\n", title_html(*record), list);
  }
  return out;
}

std::string enclosures(const CaseRecord& record) {
  return fmt::format(
      R"(<div class="scroll" tabindex="0" role="region" aria-label="Enclosures">
<table>
<caption>Certificate: {} by intervals of {} digits. Each side lies between its two ends.</caption>
<thead><tr><th scope="col">Side</th><th scope="col">At least</th><th scope="col">At most</th></tr></thead>
<tbody><tr><th scope="row">left</th><td class="digits">{}</td><td class="digits">{}</td></tr>
<tr><th scope="row">right</th><td class="digits">{}</td><td class="digits">{}</td></tr></tbody>
</table>
</div>
)",
      record.verdict ? fmt::format("verdict {},", to_string(*record.verdict)) : "decided",
      record.digits, escape_html(record.lhs_lower), escape_html(record.lhs_upper),
      escape_html(record.rhs_lower), escape_html(record.rhs_upper));
}

/// The exact case as the command that decides it anew; `eval`: see eval_command.
std::string evaluation(const std::string& id, const CaseRecord& record, std::string_view eval) {
  if (record.input.is_null()) {
    return fmt::format(
        "<p class=\"note\">The exact case has more than {} numbers and is not written out.</p>\n",
        grouped(kMostNumbers));
  }
  const std::size_t length = record.input.dump().size();
  if (length > kLongestCase) {
    return fmt::format(
        "<p class=\"note\">The exact case has {} characters. It is in <code>report.json</code>, "
        "under this claim and stage; wrapped as <code>[{{\"claim\": \"{}\", \"case\": "
        "...}}]</code> "
        "it is what <code>{}</code> reads.</p>\n",
        grouped(length), escape_html(id), escape_html(eval));
  }
  const nlohmann::ordered_json line = {{{"claim", id}, {"case", record.input}}};
  return fmt::format("<pre>{}</pre>\n",
                     escape_html(fmt::format("{} - <<'EOF'\n{}\nEOF", eval, line.dump())));
}

std::string case_block(std::string_view name, const ClaimRecord& claim,
                       const std::optional<CaseRecord>& record, std::string_view eval) {
  if (!record) return {};
  const std::string where = record->where.empty() ? "" : fmt::format(" ({})", record->where);
  return fmt::format(
      "<details><summary>{}, {}{}: left side {}, right side {}</summary>\n{}{}</details>\n", name,
      title_html(claim), escape_html(where), escape_html(six_digits(record->lhs)),
      escape_html(six_digits(record->rhs)), enclosures(*record),
      evaluation(claim.id, *record, eval));
}

/// What is known of how tight the bound is, with the case that shows it.
std::string tightness(const ClaimRecord& record, std::string_view eval) {
  if (!record.tightness) return {};
  return fmt::format("<p class=\"note\">Tightness ({}): {}.</p>\n{}", title_html(record),
                     math_html(tightness_line(*record.tightness)),
                     case_block("Tightest case", record, record.tightness->at, eval));
}

/// Whether the case of the largest ratio stands there already, under another name.
bool is_worst_shown(const ClaimRecord& record) {
  if (!record.worst) return true;
  const auto shows = [&](const CaseRecord& kept) { return kept.input == record.worst->input; };
  return (record.smallest_witness && shows(*record.smallest_witness)) ||
         (record.tightness && shows(record.tightness->at));
}

std::string cases(const ClaimView& view, std::string_view eval) {
  std::string out;
  for (const ClaimRecord* const record : view.records) {
    out += tightness(*record, eval);
    out += case_block(
        record->stage == Stage::synthetic ? "Smallest counterexample" : "First counterexample",
        *record, record->smallest_witness, eval);
    if (!is_worst_shown(*record) && record->max_ratio) {
      out += case_block(fmt::format("Largest ratio {}", ratio_text(*record->max_ratio)), *record,
                        record->worst, eval);
    }
    out += case_block("First undecided case", *record, record->first_undecided, eval);
  }
  return out;
}

std::string replays(const ClaimView& view) {
  std::string out;
  for (const ClaimRecord* const record : view.records) {
    if (record->replay.empty()) continue;
    out +=
        fmt::format("<p class=\"note\">Replay ({}{}): <code>{}</code></p>\n", title_html(*record),
                    record->seed.empty() ? "" : ", seed " + escape_html(record->seed),
                    escape_html(record->replay));
  }
  return out;
}

/// The proof, or why the statement is false.
std::string argument(const ClaimView& view) {
  const ClaimRecord& claim = view.any();
  const std::string_view title = view.is_proved() ? "Why it holds" : "Why it fails";
  const std::string text = math_html(claim.argument);
  if (claim.argument.size() <= kLongestOpenArgument) {
    return fmt::format("<p><strong>{}.</strong> {}</p>\n", title, text);
  }
  return fmt::format("<details><summary><strong>{}</strong></summary>\n<p>{}</p>\n</details>\n",
                     title, text);
}

}  // namespace

std::string claim_section(const ClaimView& view, std::string_view eval, FigureFiles& files) {
  const ClaimRecord& claim = view.any();
  const std::string section = fmt::format(
      R"(<article class="claim" id="{}">
<h4>{} <span class="badge {}">{}</span></h4>
<p class="note"><code>{}</code>. {}. {}.</p>
{}{}{}{}{}{}{}{}</article>
)",
      escape_html(claim.id), math_html(claim.title), view.is_proved() ? "proved" : "refuted",
      status_words(claim.status), escape_html(claim.id), escape_html(claim.paper),
      provenance_words(claim.provenance), statement_html(claim.statement), argument(view),
      counts_table(view), histograms(view, files), families(view), guards_html(view),
      cases(view, eval), replays(view));
  return with_named_regions(section, escape_html(claim.id));
}

}  // namespace attn::report
