#include "reports/text/totals_table.hpp"

#include <fmt/format.h>

#include "reports/judge/totals.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {

std::string totals_table(const Report& report) {
  std::string rows;
  for (const Total& total : totals_over_inputs(report)) {
    rows += fmt::format(
        "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", total.id, status_words(total.status),
        total.inputs, grouped(total.cases), grouped(total.violated), grouped(total.undecided),
        grouped(total.assumption_not_met), total.max_ratio ? ratio_text(*total.max_ratio) : "-",
        total.worst_input.empty() ? "-" : escape_markdown(total.worst_input));
  }
  if (rows.empty()) return rows;
  return "| claim | status | inputs | cases | violated | undecided | assumption not met | max "
         "lhs/rhs | of |\n|---|---|--:|--:|--:|--:|--:|--:|---|\n" +
         rows;
}

}  // namespace attn::report
