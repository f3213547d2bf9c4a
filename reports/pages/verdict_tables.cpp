#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/format.hpp"

namespace attn::report {

Table verdict_table(const ClaimView& view) {
  Table table{
      .caption =
          "Cases by verdict. Attained: both sides are exactly equal. "
          "Outside: the case does not meet the hypotheses; shares are of the others. Undecided: "
          "200 digits and exact arithmetic do not tell. Sampled, open: a confidence interval does "
          "not.",
      .columns = {"Stage", "Outcome", "Largest ratio", "Cases", "Outside", "Hold", "Attained",
                  "Violated", "Share violated", "Undecided", "Sampled, open"},
      .text_columns = 2,
      .is_compact = true};
  for (const ClaimRecord* const record : view.records) {
    std::vector<Text> row{short_source(*record), outcome_text(record->outcome),
                          record->max_ratio ? ratio_text(*record->max_ratio) : "-"};
    for (const std::uint64_t count : {record->cases, record->assumption_not_met, record->holds,
                                      record->equal, record->violated}) {
      row.emplace_back(grouped(count));
    }
    row.emplace_back(percent(record->violated, applicable_cases(*record)));
    row.emplace_back(grouped(undecided_cases(*record)));
    row.emplace_back(grouped(record->sampled_open));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table decider_table(const ClaimView& view) {
  Table table{
      .caption =
          "Cases by what decided them. Double: doubles with an error bound. Test: what is "
          "known of the claim's own equality.",
      .columns = {"Stage", "Double", "Test", "50 digits", "Exact", "100 digits", "200 digits"},
      .text_columns = 1,
      .is_compact = true};
  for (const ClaimRecord* const record : view.records) {
    std::vector<Text> row{short_source(*record)};
    for (const By by : kEveryBy) {
      const auto cases = record->digits.find(to_string(by));
      row.emplace_back(cases == record->digits.end() ? "-" : grouped(cases->second));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace attn::report
