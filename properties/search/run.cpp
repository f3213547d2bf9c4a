#include "properties/search/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "properties/search/shard.hpp"
#include "properties/search/units.hpp"
#include "properties/search/witness.hpp"
#include "reports/judge/judge.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/parallel.hpp"
#include "theory/base/sha256.hpp"
#include "theory/number/ground.hpp"

namespace attn::properties {
namespace {

std::size_t whole_from_one(const std::string& word) {
  return whole_number<std::size_t>(word, 1);
}

/// The flags of add_search_flags that make this run.
std::string search_flags(Run run) {
  const auto line = command_line("");
  add_search_flags(*line, run);
  return default_options(*line);
}

}  // namespace

void add_search_flags(CLI::App& app, Run& run) {
  add_seed(app, run.seed, "seed of the run; each claim's is derived from it");
  add_word(app, "--effort", run.effort, kEfforts, "how many cases");
  Flag cases = add_value(
      app, "--cases", run.cases, whole_from_one,
      "as many cases of each claim: batches of the effort's, from the seed, seed + 1, ...");
  cases.type_name("N");
  if (run.cases) cases.default_str(std::to_string(*run.cases));
}

std::string replay_command(std::string_view claim_id, const Run& run) {
  return fmt::format("{} --claim {} {}", run.program.name, claim_id, search_flags(run));
}

/// Mutants are tried with as many cases as the effort says, whatever the budget.
std::string mutant_replay_command(std::string_view mutant_id, Run run) {
  run.cases.reset();
  return fmt::format("{} --mutant {} {}", run.program.name, mutant_id, search_flags(run));
}

std::string recheck_line(std::string_view claim_id, const nlohmann::json& input,
                         std::string_view eval) {
  const nlohmann::json cases = {{{"claim", claim_id}, {"case", input}}};
  return fmt::format("echo {} | {} -", shell_word(cases.dump()), eval);
}

std::uint64_t property_seed(std::uint64_t run_seed, std::string_view claim_id) {
  const std::string digest = sha256(fmt::format("{}:{}", run_seed, claim_id));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
}

std::vector<Batch> batches_of(const Run& run, const Claim& claim) {
  const std::size_t usual = cases_per_claim(run.effort, claim);
  std::vector<Batch> batches;
  for (std::size_t left = run.cases.value_or(usual); left > 0; left -= batches.back().cases) {
    batches.push_back({property_seed(run.seed + batches.size(), claim.id), std::min(usual, left)});
  }
  return batches;
}

report::MutantRecord try_in_run(const Claim& claim, const Mutant& mutant, const Run& run) {
  report::MutantRecord record = try_mutant(claim, mutant, property_seed(run.seed, mutant.id),
                                           cases_per_claim(run.effort, claim));
  record.replay = mutant_replay_command(mutant.id, run);
  return record;
}

std::vector<SearchResult> search_all(std::span<const Claim> claims, const Run& run,
                                     units::Team& team, units::ResultJournal& parts,
                                     const Progress& progress) {
  const units::Compute compute = unit_computer(claims, run);
  Schedule schedule(claims, run);
  const auto take = [&](const units::Unit& unit, const std::string& text) {
    schedule.take(unit, text);
    progress(schedule);
  };
  team.lead({.next = [&] { return schedule.next(); }, .take = take}, parts, compute);
  return schedule.results();
}

std::vector<report::MutantRecord> try_all(std::span<const Mutant> mutants, const Run& run) {
  check_ground(budget_of(run.effort).times);
  std::vector<report::MutantRecord> records(mutants.size());
  parallel_for(mutants.size(), run.threads, [&](std::size_t i) {
    records[i] = try_in_run(original(*run.catalogue, mutants[i]), mutants[i], run);
  });
  return records;
}

report::Report report_of(const std::vector<SearchResult>& results) {
  report::Report report;
  for (const SearchResult& result : results) {
    report.claims.push_back(result.record);
    if (result.comparison) report.comparisons.push_back(*result.comparison);
  }
  for (const NormalizerTraits& normalizer : normalizers()) {
    report.normalizers.push_back({.name = std::string(normalizer.name),
                                  .definition = std::string(normalizer.definition),
                                  .constant = std::string(normalizer.constant),
                                  .breaks = std::string(normalizer.breaks),
                                  .claim = std::string(normalizer.claim)});
  }
  return report;
}

int exit_code(const std::vector<SearchResult>& results) {
  if (results.empty()) return kAsExpected;  // nothing was to be searched
  const bool failed =
      std::ranges::any_of(results, [](const SearchResult& r) { return !r.failure.empty(); });
  return failed ? kInternal : report::exit_code(report_of(results));
}

}  // namespace attn::properties
