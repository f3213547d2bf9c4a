#pragma once

#include <string>
#include <string_view>

#include "reports/report.hpp"
#include "reports/summary.hpp"

namespace attn::report {

// The parts of index.html, each a piece of HTML.

std::string_view style_sheet();
std::string answer_section(const Report& report);
std::string overview_html(const Report& report);  ///< the claims by statement of the paper
std::string tightness_section(const Report& report);
std::string sharper_section(const Report& report);      ///< empty without comparisons
std::string normalizers_section(const Report& report);  ///< empty without normalisers
std::string claim_section(const ClaimView& view);
std::string guards_html(const ClaimView& view);        ///< input classes, mutants, sampled cases
std::string real_input_section(const Report& report);  ///< empty without a real-input block
std::string provenance_section(const Provenance& provenance);
std::string limits_section(const Report& report);

/// A link to the section of a claim, with its id as text.
std::string claim_link(std::string_view id);

/// The class of a stage's marks and bars in figures.
std::string_view stage_class(std::string_view stage);

}  // namespace attn::report
