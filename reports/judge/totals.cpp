#include "reports/judge/totals.hpp"

#include <algorithm>

namespace attn::report {
namespace {

void add(Total& total, const ClaimRecord& record, const std::string& input) {
  total.inputs += record.cases > 0 ? 1 : 0;
  total.cases += record.cases;
  total.violated += record.violated;
  total.undecided += record.undecided;
  total.assumption_not_met += record.assumption_not_met;
  if (!record.max_ratio || (total.max_ratio && *record.max_ratio <= *total.max_ratio)) return;
  total.max_ratio = record.max_ratio;
  total.worst_input = input;
}

}  // namespace

std::vector<Total> totals_over_inputs(const Report& report) {
  std::vector<Total> totals;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic) continue;
    auto found = std::ranges::find(totals, record.id, &Total::id);
    if (found == totals.end()) {
      totals.push_back({.id = record.id, .status = record.status});
      found = totals.end() - 1;
    }
    add(*found, record, record.input.empty() ? report.provenance.model.name : record.input);
  }
  return totals;
}

}  // namespace attn::report
