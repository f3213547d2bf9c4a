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

// What an input shows, in sections of its page; `name`: of the files of their figures.

/// "How many tokens a head needs": experiment 6; of an input without a loss a line that says so.
Blocks set_sizes(const Measurements& measured, const std::string& name);

/// Maps of what was measured of each head, of how often false bounds fail there and of how tight
/// each claim is there, with all numbers as CSV.
Blocks head_maps(std::size_t index, const Report& report, const Names& names);

/// A page for each head on which a proved claim was violated or stayed open.
std::vector<Document> head_pages(std::size_t index, const Report& report, const Names& names);

/// "3 of 12": in how many of the heads that have cases of a claim it fails; "-" where none has.
std::string heads_words(const std::vector<HeadRecord>& heads, const std::string& claim);

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
