#include <fmt/format.h>

#include <algorithm>

#include "reports/html/math.hpp"
#include "reports/html/sections.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"

namespace attn::report {
namespace {

/// The claim about the constant, and what came of it.
std::string claim_cell(const std::string& id, const std::vector<ClaimView>& views) {
  const auto view = std::find_if(views.begin(), views.end(),
                                 [&](const ClaimView& v) { return v.any().id == id; });
  if (view == views.end()) return "-";
  const ClaimRecord& record = view->any();
  const bool fine = record.outcome == Outcome::as_expected;
  return fmt::format(
      "{}<br>{}", claim_link(id),
      fine ? std::string(status_words(record.status))
           : fmt::format(R"(<span class="bad">{}</span>)", to_string(record.outcome)));
}

}  // namespace

std::string normalizers_section(const Report& report) {
  if (report.normalizers.empty()) return {};
  const std::vector<ClaimView> views = by_claim(report);
  std::string rows;
  for (const NormalizerRecord& record : report.normalizers) {
    rows += fmt::format(
        R"(<tr><th scope="row"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>
)",
        escape_html(record.name), math_cell_html(record.definition),
        math_cell_html(record.constant), math_html(record.breaks.empty() ? "-" : record.breaks),
        claim_cell(record.claim, views));
  }
  return fmt::format(
      R"(<section id="normalizers">
<h2>Normalisers</h2>
<p>The ways to turn scores into weights, and by how much the weights can move when the scores do: the sharp constant bounds the Euclidean length of the change of the weights by that of the scores.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Normalisers">
<table class="normalizers">
<caption>What each normaliser is, its sharp Lipschitz constant, and which assumptions of the paper it breaks.</caption>
<thead><tr><th scope="col">Normaliser</th><th scope="col">Definition</th><th scope="col">Sharp constant</th><th scope="col">Breaks</th><th scope="col">Claim</th></tr></thead>
<tbody>
{}</tbody>
</table>
</div>
</section>
)",
      rows);
}

}  // namespace attn::report
