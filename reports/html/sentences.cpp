#include <fmt/format.h>

#include "reports/html/math.hpp"
#include "reports/html/sections.hpp"
#include "reports/judge/judge.hpp"

namespace attn::report {

std::string sentences_html(const Report& report) {
  std::string rows;
  for (const ClaimView& view : by_claim(report)) {
    const ClaimRecord& claim = view.any();
    if (claim.sentence.empty()) continue;
    rows += fmt::format(
        "<tr><th scope=\"row\">{}<br>{}</th><td data-heading=\"Verdict\">{}</td>"
        "<td data-heading=\"What is true\">{}</td></tr>\n",
        math_html(claim.sentence), claim_link(claim.id), status_words(claim.status),
        math_html(claim.instead));
  }
  if (rows.empty()) return rows;
  return fmt::format(
      R"(<h3>Sentence by sentence</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Sentences of the paper">
<table class="overview sentences">
<caption>What the paper says in words, and what is true in its place.</caption>
<thead><tr><th scope="col">The paper says</th><th scope="col">Verdict</th><th scope="col">What is true</th></tr></thead>
<tbody>
{}</tbody>
</table>
</div>
)",
      rows);
}

}  // namespace attn::report
