#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/pages/names.hpp"
#include "reports/record/report.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {

/// index.html: what came out of everything.
Document overview_page(const Report& report, const Names& names);

/// details.html: sharper bounds, normalisers, what was run.
Document details_page(const Report& report, const Names& names);

/// claims/ID.html.
Document claim_page(const ClaimView& view, const Report& report, const Names& names);

/// The pages of an input: inputs/NAME.html, and one for each head on which a claim failed or stayed
/// open. `index`: of `Report::inputs`.
std::vector<Document> input_pages(std::size_t index, const Report& report, const Names& names);

/// A sharper bound beside another, a row each.
Table comparison_table(const std::vector<const ComparisonRecord*>& records, const Names& names);

/// The plain values of an object of report.json, a row each.
Table fields_table(std::string_view caption, const nlohmann::ordered_json& object);

/// The longest report.md in bytes.
inline constexpr std::size_t kMarkdownLimit = 12 * 1024;

/// report.md: what came out, what did not come out as expected, and where to read on. Shorter than
/// kMarkdownLimit: what would not fit is replaced by a line that says so.
std::string markdown(const Report& report);

/// Every page of a report and the files of its figures, name -> content.
std::map<std::string, std::string> pages_of(const Report& report);

}  // namespace attn::report
