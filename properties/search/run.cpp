#include "properties/search/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "properties/search/shard.hpp"
#include "properties/search/units.hpp"
#include "reports/judge/judge.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/sha256.hpp"

namespace attn::properties {

std::string replay_command(std::string_view claim_id, const Run& run) {
  const std::string cases = run.cases ? fmt::format(" --cases {}", *run.cases) : std::string();
  return fmt::format("{} --claim {} --seed {} --effort {}{}", run.program.name, claim_id, run.seed,
                     to_string(run.effort), cases);
}

std::string recheck_line(std::string_view claim_id, const nlohmann::json& input,
                         std::string_view eval) {
  const nlohmann::json cases = {{{"claim", claim_id}, {"case", input}}};
  return fmt::format("echo {} | {} -", shell_word(cases.dump()), eval);
}

std::uint64_t property_seed(std::uint64_t run_seed, std::string_view name) {
  const std::string digest = sha256(fmt::format("{}:{}", run_seed, name));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
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
