#include "properties/cli/searching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "properties/cli/printing.hpp"
#include "reports/record/provenance.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/progress.hpp"

namespace attn::properties {

namespace {

std::vector<report::MutantRecord> mutants_in(const std::vector<SearchResult>& results) {
  std::vector<report::MutantRecord> all;
  for (const SearchResult& result : results) {
    all.insert(all.end(), result.record.mutants.begin(), result.record.mutants.end());
  }
  return all;
}

/// ", shard 2/3"; empty where all claims are searched.
std::string shard_in_words(const std::optional<report::Shard>& shard) {
  return shard ? fmt::format(", shard {}/{}", shard->index, shard->count) : std::string();
}

/// ", 5000 cases a claim"; empty where the effort says how many.
std::string budget_in_words(const Run& run) {
  if (run.cases) return fmt::format(", {} cases a claim", *run.cases);
  return run.minutes ? fmt::format(", {} minutes", *run.minutes) : std::string();
}

int try_and_print(const std::vector<Mutant>& mutants, const Run& run) {
  const std::vector<report::MutantRecord> records = try_all(mutants, run);
  for (const report::MutantRecord& record : records) {
    fmt::print("{:<44} {:<9} cases {:>7}  {}\n", record.id, record.caught ? "caught" : "survived",
               record.cases, plain_text(record.change));
    if (record.witness) {
      fmt::print("  {}\n  lhs in [{}, {}]\n  rhs in [{}, {}]\n", record.witness->input.dump(),
                 record.witness->lhs_lower, record.witness->lhs_upper, record.witness->rhs_lower,
                 record.witness->rhs_upper);
    }
  }
  print_mutants(records);
  return std::ranges::all_of(records, &report::MutantRecord::caught) ? kAsExpected : kUnexpected;
}

}  // namespace

std::vector<Claim> chosen_claims(const SearchOptions& asked) {
  std::vector<Claim> claims;
  for (const Claim& claim : *asked.run.catalogue) {
    const bool is_asked = std::ranges::find(asked.claims, claim.id) != asked.claims.end();
    if (asked.claims.empty() || is_asked) claims.push_back(claim);
  }
  return claims;
}

int list_or_try(const SearchOptions& asked) {
  if (!asked.list) return try_and_print(asked.mutants, asked.run);
  print_catalogue(*asked.run.catalogue);
  return kAsExpected;
}

Searched search_and_print(const std::vector<Claim>& claims, const Run& run,
                          const std::optional<report::Shard>& shard) {
  const auto start = std::chrono::steady_clock::now();
  report::Provenance provenance = report::collect_provenance(run.seed, run.effort, run.threads);
  provenance.shard = shard;
  provenance.cases = run.cases;
  provenance.minutes = run.minutes;
  fmt::print("run seed {}, effort {}{}, {} claims{}, {} regressions, {} threads\n", run.seed,
             to_string(run.effort), budget_in_words(run), claims.size(), shard_in_words(shard),
             run.regressions.size(), run.threads);

  std::vector<SearchResult> results;
  {
    ProgressLine progress(ProgressUnit::items);
    std::size_t done = 0;
    progress.update("claims", done, claims.size());
    results = search_all(claims, run, [&](const SearchResult&) {
      progress.update("claims", ++done, claims.size());
    });
  }
  for (const SearchResult& result : results) print_result(result, run.program);
  print_tightness(results);
  print_comparisons(results);
  print_mutants(mutants_in(results));
  // A claim without a verdict has no place in a report: the error is ours, not the paper's.
  const int code = exit_code(results);
  if (code == kInternal) return {code, {}};
  report::Report report = report_of(results);
  report.provenance = provenance;
  report.provenance.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {code, report};
}

}  // namespace attn::properties
