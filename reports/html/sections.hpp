#pragma once

#include <string>
#include <string_view>

#include "reports/html/figure.hpp"
#include "reports/record/report.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {

// The parts of index.html, each a piece of HTML. Those with figures add them to the files.

std::string style_sheet();
std::string answer_section(const Report& report);
std::string overview_html(const Report& report);  ///< the claims by statement of the paper
/// What the paper says in words beside what is true; empty without a claim that is one of its
/// sentences.
std::string sentences_html(const Report& report);
std::string tightness_section(const Report& report, FigureFiles& files);
std::string sharper_section(const Report& report);      ///< empty without comparisons
std::string normalizers_section(const Report& report);  ///< empty without normalisers
std::string claim_section(const ClaimView& view, std::string_view eval, FigureFiles& files);
std::string guards_html(const ClaimView& view);  ///< input classes, mutants, sampled cases

/// Empty without a real-input block.
std::string real_input_section(const Report& report, FigureFiles& files);

std::string provenance_section(const RunInfo& provenance);
std::string limits_section(const Report& report);

/// The script of the maps of heads: one stop of the tab key a map, arrow keys between its cells.
std::string_view head_map_script();

/// A link to the section of a claim, with its id as text.
std::string claim_link(std::string_view id);

/// The class of a stage's marks and bars in figures.
std::string_view stage_class(Stage stage);

}  // namespace attn::report
