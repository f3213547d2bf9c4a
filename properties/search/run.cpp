#include "properties/search/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>

#include "properties/search/comparison.hpp"
#include "properties/search/guard.hpp"
#include "properties/search/replay.hpp"
#include "properties/search/search.hpp"
#include "properties/search/seed.hpp"
#include "reports/judge/judge.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/parallel.hpp"
#include "theory/number/ground.hpp"

namespace attn::properties {

namespace {

report::MutantRecord try_one(const Claim& claim, const Mutant& mutant, const Run& run) {
  report::MutantRecord record = try_mutant(claim, mutant, property_seed(run.seed, mutant.id),
                                           cases_per_claim(run.effort, claim));
  record.replay = mutant_replay_command(mutant.id, run);
  return record;
}

using Clock = std::chrono::steady_clock;

/// What the search of one claim may take of run.minutes, so that all end together.
Clock::duration share_of_time(const Run& run, std::size_t claims) {
  const auto side_by_side = static_cast<double>(std::min<std::size_t>(run.threads, claims));
  const std::chrono::duration<double, std::ratio<60>> share(run.minutes.value_or(0) * side_by_side /
                                                            static_cast<double>(claims));
  return std::chrono::duration_cast<Clock::duration>(share);
}

report::ClaimRecord searched(const Claim& claim, const Property& property, const Run& run,
                             Clock::duration time) {
  Search plan{.first = batch_after(run, claim, 0, 0, true).value(),
              .shrink = shrink_budget(run.effort),
              .climb = climb_budget(run.effort),
              .regressions = regressions_of(claim, run.regressions)};
  if (run.cases || run.minutes) {
    plan.next = [&, end = Clock::now() + time](std::size_t batches, std::size_t cases) {
      return batch_after(run, claim, batches, cases, Clock::now() < end);
    };
  }
  report::ClaimRecord record = search(claim, property, plan);
  for (const Mutant& mutant : claim.mutants) record.mutants.push_back(try_one(claim, mutant, run));
  report::rejudge(record);
  return record;
}

/// The run that draws the same cases again: how many a search of some minutes drew is known by
/// then.
Run replayed(Run run, const report::ClaimRecord& record) {
  if (!run.minutes) return run;
  run.minutes.reset();
  run.cases = 0;
  for (const auto& [family, cases] : record.families) {
    if (family != kKeptCases && family != kClimbedCases) *run.cases += cases;
  }
  return run;
}

/// Empty where the claim sharpens none.
std::optional<report::ComparisonRecord> compared(const Claim& claim, const Run& run) {
  if (claim.sharpens.empty()) return std::nullopt;
  const std::string pair = fmt::format("{} beside {}", claim.id, claim.sharpens);
  return compare_on_drawn(claim, run.catalogue->at(claim.sharpens), property_seed(run.seed, pair),
                          cases_per_comparison(run.effort));
}

}  // namespace

std::optional<Batch> batch_after(const Run& run, const Claim& claim, std::size_t batches,
                                 std::size_t cases, bool has_time) {
  const std::size_t usual = cases_per_claim(run.effort, claim);
  const std::size_t left = run.cases ? *run.cases - cases : usual;
  const bool goes_on = batches == 0 || run.cases || (run.minutes && has_time);
  if (!goes_on || left == 0) return std::nullopt;
  return Batch{property_seed(run.seed + batches, claim.id), std::min(usual, left)};
}

SearchResult search_declared(const Claim& claim, const Run& run, std::size_t claims) {
  SearchResult result;
  try {
    result.record = searched(claim, property_of(claim), run, share_of_time(run, claims));
    result.comparison = compared(claim, run);
  } catch (const BrokenGround&) {
    throw;
  } catch (const std::exception& error) {
    result.record.id = claim.id;
    result.failure = error.what();
  }
  result.record.replay = replay_command(claim.id, replayed(run, result.record));
  return result;
}

std::vector<SearchResult> search_all(std::span<const Claim> claims, const Run& run,
                                     const std::function<void(const SearchResult&)>& finished) {
  check_ground(times_quick(run.effort));
  std::vector<SearchResult> results(claims.size());
  std::mutex reporting;
  parallel_for(claims.size(), run.threads, [&](std::size_t i) {
    results[i] = search_declared(claims[i], run, claims.size());
    const std::lock_guard lock(reporting);
    finished(results[i]);
  });
  return results;
}

std::vector<report::MutantRecord> try_all(std::span<const Mutant> mutants, const Run& run) {
  check_ground(times_quick(run.effort));
  std::vector<report::MutantRecord> records(mutants.size());
  parallel_for(mutants.size(), run.threads, [&](std::size_t i) {
    records[i] = try_one(original(*run.catalogue, mutants[i]), mutants[i], run);
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
  if (results.empty()) return kAsExpected;  // a shard to which no claim falls
  const bool failed =
      std::ranges::any_of(results, [](const SearchResult& r) { return !r.failure.empty(); });
  return failed ? kInternal : report::exit_code(report_of(results));
}

}  // namespace attn::properties
