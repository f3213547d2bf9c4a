#include <fmt/format.h>

#include "reports/html/sections.hpp"
#include "reports/judge/guards.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"

namespace attn::report {
namespace {

constexpr std::string_view kHoldsHeading = "Holds", kFalseHeading = "False as written";

/// A link to the claim, with its outcome where that is not as expected.
std::string claim_entry(const ClaimView& view) {
  for (const ClaimRecord* const record : view.records) {
    if (record->outcome == Outcome::as_expected) continue;
    return fmt::format(R"({} <span class="bad">{}</span>)", claim_link(record->id),
                       to_string(record->outcome));
  }
  return claim_link(view.any().id);
}

std::string claims_cell(const StatementView& statement, bool proved) {
  std::string list;
  for (const ClaimView& view : statement.claims) {
    if (view.is_proved() != proved) continue;
    list += fmt::format("<span>{}</span> ", claim_entry(view));
  }
  if (list.empty()) return R"(<td class="none">-</td>)";
  return fmt::format(R"(<td data-heading="{}">{}</td>)", proved ? kHoldsHeading : kFalseHeading,
                     list);
}

}  // namespace

std::string overview_html(const Report& report) {
  std::string rows;
  for (const StatementView& statement : by_statement(report)) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>{}{}</tr>\n", escape_html(statement.name),
                        claims_cell(statement, true), claims_cell(statement, false));
  }
  return fmt::format(
      R"(<h3>Statement by statement</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Statements of the paper">
<table class="overview">
<caption>The statements of the paper in order, and the claims that were checked about each.</caption>
<thead><tr><th scope="col">Statement</th><th scope="col">{}</th><th scope="col">{}</th></tr></thead>
<tbody>
{}</tbody>
</table>
</div>
)",
      kHoldsHeading, kFalseHeading, rows);
}

}  // namespace attn::report
