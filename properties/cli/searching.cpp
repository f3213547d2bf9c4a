#include "properties/cli/searching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/judge/judge.hpp"
#include "reports/record/report.hpp"
#include "reports/text/console.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/progress.hpp"

namespace attn::properties {
namespace {

/// A kept case: where it came from, the enclosures of both sides, and how to recheck it.
void print_case(std::string_view id, const std::string& what, const report::CaseRecord& kept,
                const Program& program) {
  fmt::print("  {} ({})\n  lhs in [{}, {}]\n  rhs in [{}, {}]\n", what, kept.where, kept.lhs_lower,
             kept.lhs_upper, kept.rhs_lower, kept.rhs_upper);
  fmt::print("  recheck: {}\n", recheck_line(id, kept.input.whole(), program.eval));
}

void print_uncovered(const report::ClaimRecord& record) {
  for (const report::ClassRecord& input : record.classes) {
    if (input.covered) continue;
    fmt::print("  class not covered: {}: {} cases, a share of [{:.4g}, {:.4g}], at least {:.4g}\n",
               input.name, input.cases, input.share_lower, input.share_upper, input.least_share);
  }
}

void print_survivors(const report::ClaimRecord& record) {
  for (const report::MutantRecord& mutant : record.mutants) {
    if (mutant.caught) continue;
    fmt::print("  mutant survived: {}: {}, {} cases\n  replay: {}\n", mutant.id,
               plain_text(mutant.change), mutant.cases, mutant.replay);
  }
}

/// One claim's line, and whatever of it needs a reader's eye: witnesses, classes that were not met,
/// mutants that survived, each with the commands that show it again.
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
      record.max_ratio ? fmt::format("{:.6g}", *record.max_ratio) : "-", record.seed);
  if (record.smallest_witness) {
    print_case(record.id, fmt::format("violated, shrunk by {}", record.shrinking),
               *record.smallest_witness, program);
  }
  if (record.first_undecided) {
    print_case(record.id, "undecided", *record.first_undecided, program);
  }
  print_uncovered(record);
  print_survivors(record);
  if (record.outcome != report::Outcome::as_expected) {
    fmt::print("  replay: {}\n", record.replay);
  }
}

/// Mutants caught of all tried; nothing where none was tried.
void print_mutants(const std::vector<SearchResult>& results) {
  std::size_t tried = 0;
  std::ptrdiff_t caught = 0;
  for (const SearchResult& result : results) {
    tried += result.record.mutants.size();
    caught += std::ranges::count_if(result.record.mutants, &report::MutantRecord::caught);
  }
  if (tried > 0) fmt::print("mutants: {} of {} caught\n", caught, tried);
}

constexpr const char* kUnits = "units of work";

/// Says what is begun, and notes it.
report::RunInfo begin(const std::vector<Claim>& claims, const Run& run,
                      const std::optional<report::Shard>& shard, const units::Team& team,
                      const units::ResultJournal& parts) {
  report::RunInfo provenance = report::collect_provenance(
      run.seed, run.effort,
      {.ranks = team.ranks(), .threads = team.threads(), .processors = team.processors()});
  provenance.shard = shard;
  provenance.cases = run.cases;
  fmt::print("run seed {}, effort {}", run.seed, to_string(run.effort));
  if (run.cases) fmt::print(", {} cases a claim", *run.cases);
  fmt::print(", {} claims", claims.size());
  if (shard) fmt::print(", shard {}/{}", shard->index, shard->count);
  fmt::print(", {} regressions, {} threads", run.regressions.size(), team.threads());
  if (team.ranks() > 1) fmt::print(", {} ranks", team.ranks());
  fmt::print("\n");
  if (const std::size_t kept = parts.units().size(); kept > 0) {
    fmt::print("resumed with {} units of work that were kept\n", kept);
  }
  return provenance;
}

}  // namespace

void add_search_options(CLI::App& app, SearchOptions& options) {
  const Catalogue& catalogue = *options.run.catalogue;
  add_seed(app, options.run.seed, "seed of the run; that of each kind of case is derived from it");
  add_word(app, "--effort", options.run.effort, kEfforts, "how many cases");
  add_value(
      app, "--cases", options.run.cases,
      [](const std::string& word) { return whole_number<std::size_t>(word, 1, 1'000'000'000); },
      "as many cases of each claim in place of the effort's")
      .type_name("N");
  add_values(
      app, "--claim", options.claims,
      [&catalogue](const std::string& id) { return catalogue.at(id).id; },
      "only these claims (default: all)")
      .type_name("ID");
  add_switch(app, "--verbose", options.verbose, "print a line for each claim and mutants too")
      .group(kChangesNoResult);
  add_threads(app, options.run.threads, "units of work computed at a time, by each rank");
}

bool prints_each(const SearchOptions& asked) {
  return asked.verbose || !asked.claims.empty() || asked.run.catalogue != &catalogue();
}

void add_options(CLI::App& app, Options& options) {
  add_search_options(app, options.search);
  add_option(app, "--out", options.out,
             "write the records to this report.json; what is done is kept beside it meanwhile")
      .type_name("FILE")
      .group(kChangesNoResult);
  add_value(app, "--shard", options.shard, report::shard_from,
            "only the K-th of N parts of the work: for a search spread over N machines, each with "
            "its K and the same seed and effort; join what they write with report merge")
      .type_name("K/N")
      .excludes("--claim")
      .needs("--out");
  add_switch(app, "--resume", options.resumes,
             "go on with what the same command kept that was cut off")
      .needs("--out")
      .group(kChangesNoResult);
}

std::vector<Claim> chosen_claims(const SearchOptions& asked) {
  std::vector<Claim> claims;
  for (const Claim& claim : *asked.run.catalogue) {
    const bool is_asked = std::ranges::find(asked.claims, claim.id) != asked.claims.end();
    if (asked.claims.empty() || is_asked) claims.push_back(claim);
  }
  return claims;
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
      if (search.taken() > kept) line.update(kUnits, search.taken(), search.units());
    });
  }
  for (const SearchResult& result : results) {
    if (prints_each || !result.failure.empty()) print_result(result, run.program);
  }
  if (prints_each) print_mutants(results);
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
