#include "properties/cli/searching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "properties/search/schedule.hpp"
#include "properties/search/shard.hpp"
#include "reports/record/run_info.hpp"
#include "reports/text/console.hpp"
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

constexpr const char* kUnits = "units of work";

/// ", 3 ranks"; empty where there is one.
std::string ranks_in_words(const units::Team& team) {
  return team.ranks() > 1 ? fmt::format(", {} ranks", team.ranks()) : std::string();
}

/// Says what is begun, and notes it.
report::RunInfo begin(const std::vector<Claim>& claims, const Run& run,
                      const std::optional<report::Shard>& shard, const units::Team& team,
                      const units::ResultJournal& parts) {
  report::RunInfo provenance = report::collect_provenance(
      run.seed, run.effort,
      {.ranks = team.ranks(), .threads = team.threads(), .processors = team.processors()});
  provenance.shard = shard;
  provenance.cases = run.cases;
  provenance.minutes = run.minutes;
  fmt::print("run seed {}, effort {}{}, {} claims{}, {} regressions, {} threads{}\n", run.seed,
             to_string(run.effort), budget_in_words(run), claims.size(), shard_in_words(shard),
             run.regressions.size(), team.threads(), ranks_in_words(team));
  if (const std::size_t kept = parts.units().size(); kept > 0) {
    fmt::print("resumed with {} units of work that were kept\n", kept);
  }
  return provenance;
}

/// A search of some minutes is as far as its time; any other, as its units.
void show_progress(ProgressLine& line, const Schedule& search, const Run& run,
                   const units::ResultJournal& parts) {
  if (run.minutes) {
    const auto all = static_cast<std::uint64_t>(*run.minutes * 60);
    line.update("seconds", std::min(all, static_cast<std::uint64_t>(parts.seconds())), all);
  } else {
    line.update(kUnits, search.taken(), search.units());
  }
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

Searched search_and_print(const std::vector<Claim>& claims, const Run& run, bool prints_each,
                          units::Team& team, units::ResultJournal& parts) {
  const report::RunInfo provenance = begin(claims, run, std::nullopt, team, parts);
  std::vector<SearchResult> results;
  {
    ProgressLine line;
    const std::size_t kept = parts.units().size();
    results = search_all(claims, run, team, parts, [&](const Schedule& search) {
      // What was kept does not tell how long the rest takes.
      if (search.taken() > kept) show_progress(line, search, run, parts);
    });
  }
  for (const SearchResult& result : results) {
    if (prints_each || !result.failure.empty()) print_result(result, run.program);
  }
  if (prints_each) {
    print_tightness(results);
    print_comparisons(results);
    print_mutants(mutants_in(results));
  }
  // A claim without a verdict has no place in a report: the error is ours, not the paper's.
  const int code = exit_code(results);
  if (code == kInternal) return {code, {}};
  report::Report report = report_of(results);
  report.provenance = provenance;
  report.provenance.seconds = parts.seconds();
  if (!prints_each) {
    fmt::print("{}", report::console_text(report, report::wants_colour(stdout)));
  }
  return {code, report};
}

report::Report search_shard(const report::Shard& shard, const std::vector<Claim>& claims,
                            const Run& run, units::Team& team, units::ResultJournal& parts) {
  report::Report report{.provenance = begin(claims, run, shard, team, parts)};
  const std::vector<units::Unit> units = units_of(shard, claims, run);
  {
    ProgressLine line;
    const std::size_t kept = parts.units().size();
    report.parts = compute_shard(units, claims, run, team, parts, [&](std::size_t done) {
      if (done > kept) line.update(kUnits, done, units.size());
    });
  }
  fmt::print("{} units of work; report merge joins the shards, and says what came of the claims\n",
             units.size());
  report.provenance.seconds = parts.seconds();
  return report;
}

}  // namespace attn::properties
