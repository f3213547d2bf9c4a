#include <fmt/format.h>

#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// How to save the worst case of a claim, and decide it again.
Blocks worst_case(const Measurements& measured, const Report& report) {
  const std::string input =
      measured.input.empty()
          ? ""
          : fmt::format(" and .input == {}", nlohmann::json(measured.input).dump());
  const Code commands{
      fmt::format("jq '[.claims[] | select(.id == \"ID\" and .stage != \"synthetic\"{}) "
                  "| {{claim: .id, case: .worst.case}}]' report.json > worst.json\n"
                  "{} worst.json",
                  input, catalogue_of(report).eval)};
  return {Folded{"To save the worst case of a claim, and decide it again", {commands}}};
}

/// Adds how often a claim fails, a row for each way in which its tokens were selected.
void add_failing(Table& table, const ClaimRecord& record, const std::vector<HeadRecord>& heads,
                 const Names& names) {
  Text worst = record.worst ? record.worst->where : "-";
  Text ratio = record.max_ratio ? ratio_text(*record.max_ratio) : "-";
  Text failing_heads = heads_words(heads, record.id);
  const auto add = [&](std::string_view selected, const SetCounts& counts) {
    const std::uint64_t applicable = counts.cases - counts.assumption_not_met;
    table.rows.push_back({names.claim_link(record.id), selected, worst, ratio,
                          percent(counts.violated, applicable), grouped(counts.violated),
                          grouped(applicable), grouped(counts.assumption_not_met), failing_heads});
    worst = ratio = failing_heads = "as above";
  };
  if (record.sets.empty()) add("-", {record.cases, record.violated, record.assumption_not_met});
  for (const auto& [selected, counts] : record.sets) add(selected, counts);
}

}  // namespace

Blocks failing(const Measurements& measured, const Report& report, const Names& names) {
  Table table{.caption =
                  "Claims that are false as written and fail on this input. The share is of "
                  "the rows and sets that meet the hypotheses; outside lie the others.",
              .columns = {"Claim", "Tokens selected", "Worst case", "Largest ratio",
                          "Share violated", "Violated", "Applicable", "Outside", "Heads"},
              .text_columns = 3};
  std::vector<std::string> violated_nowhere, not_applicable;
  for (const ClaimRecord& record : report.claims) {
    const bool is_here = record.stage != Stage::synthetic && record.input == measured.input;
    if (!is_here || record.status == Status::proved || record.cases == 0) continue;
    if (record.violated > 0) {
      add_failing(table, record, measured.heads, names);
    } else {
      (applicable_cases(record) > 0 ? violated_nowhere : not_applicable).push_back(record.id);
    }
  }
  Blocks blocks;
  if (!table.rows.empty()) blocks.emplace_back(table);
  const auto add_list = [&](std::string_view what, const std::vector<std::string>& ids) {
    if (!ids.empty()) blocks.emplace_back(Paragraph{what + names.claim_links(ids) + "."});
  };
  add_list("False as written, by a counterexample elsewhere, but violated nowhere on this input: ",
           violated_nowhere);
  add_list("False as written, but no row of this input meets their hypotheses: ", not_applicable);
  if (blocks.empty()) return {};
  blocks.insert(blocks.begin(), Heading{.text = "Where false bounds fail", .anchor = "failures"});
  append(blocks, worst_case(measured, report));
  return blocks;
}

}  // namespace attn::report
