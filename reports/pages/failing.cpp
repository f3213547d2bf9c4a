#include <fmt/format.h>

#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/record/few_rows.hpp"
#include "reports/text/format.hpp"
#include "theory/attention/kind.hpp"
#include "theory/claims/catalogue.hpp"

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

/// The kind of a claim's cases; null of one that is not in the catalogue.
const InputKind* kind_of(const ClaimRecord& record) {
  const auto claim = std::ranges::find(catalogue(), record.id, &Claim::id);
  return claim == catalogue().end() ? nullptr : &claim->kind;
}

/// What one case of a claim is: "row, random set"; of steps, which are the largest over all heads
/// and rows, "T and step"; "case" where it is not known. `selected`: how its tokens were selected,
/// where that is counted apart.
std::string case_words(const InputKind* kind, std::string_view selected) {
  using namespace case_field;
  if (kind == nullptr) return "case";
  if (has_field(*kind, epsilon) && !has_field(*kind, larger_epsilon)) return "T and step";
  if (!selected.empty()) return fmt::format("row, {}", selected);
  if (has_field(*kind, top_n)) return fmt::format("row, {}", kLargestWeights);
  if (has_field(*kind, set)) return "row, any N tokens";
  return has_field(*kind, appended) ? "row, new tokens" : "row";
}

/// Adds how often a claim fails, a row for each way in which its tokens were selected.
void add_failing(Table& table, const ClaimRecord& record, const std::vector<HeadRecord>& heads,
                 const Names& names) {
  const std::string worst = record.worst ? record.worst->where : "-";
  const InputKind* const kind = kind_of(record);
  const bool is_of_random = worst.find(kRandomSet) != std::string::npos;
  Text failing_heads = heads_words(heads, record.id);
  const auto add = [&](std::string_view selected, const SetCounts& counts) {
    const bool has_worst = record.sets.size() < 2 || is_of_random == (selected == kRandomSet);
    const std::uint64_t applicable = counts.cases - counts.assumption_not_met;
    table.rows.push_back({names.claim_link(record.id), case_words(kind, selected),
                          has_worst ? worst : "-",
                          has_worst && record.max_ratio ? ratio_text(*record.max_ratio) : "-",
                          percent(counts.violated, applicable), grouped(counts.violated),
                          grouped(applicable), grouped(counts.assumption_not_met), failing_heads});
    failing_heads = "as above";
  };
  if (record.sets.empty()) {
    add("", {record.cases, record.violated, record.assumption_not_met});
  }
  for (const auto& [selected, counts] : record.sets) add(selected, counts);
}

}  // namespace

Blocks failing(const Measurements& measured, const Report& report, const Names& names) {
  Table table{.caption =
                  "Claims that are false as written and fail on this input. The share is of the "
                  "cases that meet the hypotheses; those outside do not.",
              .columns = {"Claim", "A case is a", "Worst case", "Largest ratio", "Share violated",
                          "Violated", "Applicable", "Outside", "Heads"},
              .text_columns = 3};
  std::vector<Text> not_violated;
  std::vector<std::string> not_applicable;
  bool is_of_few = false;
  const std::uint64_t all_rows = measured.rows.value_or(0) * measured.heads.size();
  for (const ClaimRecord& record : report.claims) {
    const bool is_here = record.stage != Stage::synthetic && record.input == measured.input;
    if (!is_here || record.status == Status::proved || record.cases == 0) continue;
    if (record.violated > 0) {
      add_failing(table, record, measured.heads, names);
    } else if (applicable_cases(record) == 0) {
      not_applicable.push_back(record.id);
    } else {
      not_violated.push_back(names.claim_link(record.id) +
                             fmt::format(" ({})", grouped(applicable_cases(record))));
    }
    is_of_few = is_of_few || record.cases < all_rows;
  }
  Blocks blocks;
  if (!table.rows.empty()) blocks.emplace_back(table);
  if (!not_violated.empty()) {
    blocks.emplace_back(Paragraph{
        "False as written, by a counterexample elsewhere, but not violated in the cases of "
        "this input that were tried, which are counted in brackets: " +
        joined(not_violated, ", ") + "."});
  }
  if (!not_applicable.empty()) {
    blocks.emplace_back(
        Paragraph{"False as written, but no row of this input meets their hypotheses: " +
                  names.claim_links(not_applicable) + "."});
  }
  if (is_of_few) {
    blocks.emplace_back(
        Paragraph{fmt::format("Where cases are few, a claim takes much arithmetic, and is tried on "
                              "the rows of 2, 4, 8 and so on tokens up to {} alone.",
                              kMostTokensOfFewRows)});
  }
  if (blocks.empty()) return {};
  blocks.insert(blocks.begin(), Heading{.text = "Where false bounds fail", .anchor = "failures"});
  append(blocks, worst_case(measured, report));
  return blocks;
}

}  // namespace attn::report
