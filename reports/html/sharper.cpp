#include <fmt/format.h>

#include "reports/html/sections.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

std::string row(const ComparisonRecord& record) {
  std::string out = fmt::format(R"(<tr><th scope="row">{}</th><td>{}</td><td>{}</td>)",
                                claim_link(record.sharp), claim_link(record.printed),
                                record.input.empty() ? "search" : escape_html(record.input));
  for (const std::uint64_t count : {record.cases, record.tighter, record.as_tight, record.looser}) {
    out += fmt::format(R"(<td class="number">{}</td>)", grouped(count));
  }
  return out + fmt::format(
                   R"(<td class="number">{}</td><td class="number">{}</td></tr>
)",
                   ratio_text(record.median_sharp), ratio_text(record.median_printed));
}

}  // namespace

std::string sharper_section(const Report& report) {
  if (report.comparisons.empty()) return {};
  std::string rows;
  for (const ComparisonRecord& record : report.comparisons) rows += row(record);
  return fmt::format(
      R"(<section id="sharper">
<h2>Sharper bounds</h2>
<p>Where this project has a better bound than the printed one, both were decided on the same cases. A bound is the tighter one where its ratio of left to right side is certainly nearer to 1.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Sharper bounds">
<table>
<caption>In how many cases the bound on the left is tighter than the printed one, as tight, or looser; and the median lhs/rhs of each.</caption>
<thead><tr><th scope="col">Bound</th><th scope="col">Printed bound</th><th scope="col">Cases of</th><th scope="col" class="number">Cases</th><th scope="col" class="number">Tighter</th><th scope="col" class="number">As tight</th><th scope="col" class="number">Looser</th><th scope="col" class="number">Median</th><th scope="col" class="number">Median, printed</th></tr></thead>
<tbody>
{}</tbody>
</table>
</div>
</section>
)",
      rows);
}

}  // namespace attn::report
