#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "properties/cli/searching.hpp"
#include "properties/property.hpp"
#include "properties/search/replay.hpp"
#include "reports/judge/judge.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

std::string cell(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.6g}", *ratio) : "-";
}

/// A kept case: where it came from, the enclosures of both sides, and how to recheck it.
void print_case(std::string_view id, const std::string& what, const report::CaseRecord& kept,
                const Program& program) {
  fmt::print("  {} ({})\n  lhs in [{}, {}]\n  rhs in [{}, {}]\n", what, kept.where, kept.lhs_lower,
             kept.lhs_upper, kept.rhs_lower, kept.rhs_upper);
  fmt::print("  recheck: {}\n", recheck_line(id, kept.input, program.eval));
}

void print_uncovered(const report::ClaimRecord& record) {
  for (const report::ClassRecord& input : record.classes) {
    if (input.covered) continue;
    fmt::print("  class not covered: {}: {} cases, a share of [{:.4g}, {:.4g}], at least {:.4g}\n",
               input.name, input.cases, input.share_lower, input.share_upper, input.least_share);
  }
}

void print_survivors(const std::vector<report::MutantRecord>& mutants) {
  for (const report::MutantRecord& mutant : mutants) {
    if (mutant.caught) continue;
    fmt::print("  mutant survived: {}: {}, {} cases\n  replay: {}\n", mutant.id,
               plain_text(mutant.change), mutant.cases, mutant.replay);
  }
}

}  // namespace

void print_catalogue(const Catalogue& catalogue) {
  for (const Claim& claim : catalogue) {
    const Property property = property_of(claim);
    fmt::print(
        "{} ({})\n  given:      {}\n  hypotheses: {}\n  claim:      {}\n  families:  ", claim.id,
        to_string(claim.status), property.given, property.hypotheses, plain_text(claim.statement));
    for (const Family& family : property.families) fmt::print(" {}", family.name);
    fmt::print("\n  classes:   ");
    for (const InputClass& input : property.classes) {
      fmt::print(" {} ({:g} %);", input.name, 100 * input.least_share);
    }
    fmt::print("\n");
    for (const Mutant& mutant : claim.mutants) {
      fmt::print("  mutant:     {}: {}\n", mutant.id, plain_text(mutant.change));
    }
  }
}

void print_result(const SearchResult& result, const Program& program) {
  const report::ClaimRecord& record = result.record;
  if (!result.failure.empty()) {
    fmt::print("{:<32} failed: {}\n  replay: {}\n", record.id, result.failure, record.replay);
    return;
  }
  fmt::print(
      "{:<32} {:<8} {:<12} cases {:>7}  holds {:>7}  equal {:>6}  violated {:>6}  undecided {:>4}  "
      "outside {:>6}  max ratio {:<10}  seed {}\n",
      record.id, to_string(record.status), to_string(record.outcome), record.cases, record.holds,
      record.equal, record.violated, record.undecided, record.assumption_not_met,
      cell(record.max_ratio), record.seed);
  if (record.smallest_witness) {
    print_case(record.id, fmt::format("violated, shrunk by {}", record.shrinking),
               *record.smallest_witness, program);
    if (program.keeps_witnesses) {
      fmt::print("  keep: {} --save-regressions DIR\n", record.replay);
    }
  }
  if (record.first_undecided) {
    print_case(record.id, "undecided", *record.first_undecided, program);
  }
  print_uncovered(record);
  print_survivors(record.mutants);
  if (record.outcome != report::Outcome::as_expected) {
    fmt::print("  replay: {}\n", record.replay);
  }
}

void print_mutants(const std::vector<report::MutantRecord>& mutants) {
  if (mutants.empty()) return;
  const auto caught = std::ranges::count_if(mutants, &report::MutantRecord::caught);
  fmt::print("mutants: {} of {} caught\n", caught, mutants.size());
  print_survivors(mutants);
}

void print_tightness(const std::vector<SearchResult>& results) {
  for (const SearchResult& result : results) {
    if (!result.record.tightness) continue;
    const report::TightnessRecord& tightness = *result.record.tightness;
    fmt::print("tightness {:<32} {:<10} lhs/rhs {:<10.6g} after {} more cases, {}\n",
               result.record.id, to_string(tightness.kind), tightness.ratio, tightness.climbed,
               tightness.at.where);
  }
}

void print_comparisons(const std::vector<SearchResult>& results) {
  for (const SearchResult& result : results) {
    if (!result.comparison) continue;
    const report::ComparisonRecord& c = *result.comparison;
    fmt::print(
        "{} beside {}: {} cases, tighter {}, as tight {}, looser {}; median lhs/rhs {:.4g} and "
        "{:.4g}\n",
        c.sharp, c.printed, c.cases, c.tighter, c.as_tight, c.looser, c.median_sharp,
        c.median_printed);
  }
}

}  // namespace attn::properties
