#include "properties/search/shard.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "properties/search/schedule.hpp"
#include "properties/search/units.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/build_info.hpp"
#include "theory/base/parallel.hpp"

namespace attn::properties {

std::vector<units::Unit> units_of(const report::Shard& shard, std::span<const Claim> claims,
                                  const Run& run) {
  Schedule schedule(claims, run);
  std::vector<units::Unit> units;
  // As no result is taken, no unit comes that waits for one.
  std::size_t i = 0;
  for (auto unit = schedule.next(); unit; unit = schedule.next(), ++i) {
    if (i % shard.count == shard.index - 1) units.push_back(*std::move(unit));
  }
  return units;
}

std::vector<report::PartRecord> compute_shard(const std::vector<units::Unit>& units,
                                              std::span<const Claim> claims, const Run& run,
                                              units::Team& team, units::ResultJournal& parts,
                                              const std::function<void(std::size_t)>& progress) {
  std::vector<report::PartRecord> records;
  units::InOrder in_order(units, parts, [&](std::size_t index, const std::string& text) {
    const std::string& name = units[index].name;
    records.push_back({.unit = name, .result = text});
    if (const auto why = failure_in(nlohmann::json::parse(text))) {
      throw std::runtime_error(fmt::format("{}: {}", name, *why));
    }
    progress(records.size());
  });
  team.lead(in_order.plan(), parts, unit_computer(claims, run));
  return records;
}

std::vector<SearchResult> join_shards(const std::vector<report::PartRecord>& parts, const Run& run,
                                      const Progress& progress) {
  std::map<std::string_view, std::string_view> results;
  for (const report::PartRecord& part : parts) results.emplace(part.unit, part.result);
  const std::vector<Claim> claims(run.catalogue->begin(), run.catalogue->end());
  Schedule schedule(claims, run);
  const auto take = [&](const units::Unit& unit, const std::string& text) {
    schedule.take(unit, text);
    progress(schedule);
  };
  // The next unit that no shard has computed.
  const auto next = [&]() -> std::optional<units::Unit> {
    while (auto unit = schedule.next()) {
      if (task_of(*unit) == Task::end) return unit;
      const auto known = results.find(unit->name);
      if (known == results.end()) {
        throw BadInput({.kind = BadInputKind::missing,
                        .where = "shards",
                        .expected = fmt::format("the unit '{}' in one of them", unit->name),
                        .found = "none",
                        .advice = "merge all the shards of one search"});
      }
      take(*unit, std::string(known->second));
    }
    return std::nullopt;
  };
  units::Alone alone;
  units::Team team(alone, run.threads, {});
  units::ResultJournal none;
  team.lead({.next = next, .take = take}, none, unit_computer(claims, run));
  return schedule.results();
}

void end_shards(report::Report& joined, const Progress& progress) {
  const report::RunInfo& provenance = joined.provenance;
  if (const std::string commit = build_info().commit; commit != provenance.commit) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "shards",
                    .expected = fmt::format("those of commit {}, as this program", commit),
                    .found = provenance.commit,
                    .advice = "join them with the build that made them"});
  }
  Run run{.seed = provenance.seed, .effort = provenance.effort, .threads = hardware_threads()};
  if (provenance.cases) run.cases = *provenance.cases;
  run.regressions = read_regressions(regressions_folder(), *run.catalogue);
  const std::vector<SearchResult> results = join_shards(joined.parts, run, progress);
  for (const SearchResult& result : results) {
    if (result.failure.empty()) continue;
    throw std::runtime_error(fmt::format("{}: {}", result.record.id, result.failure));
  }
  report::Report ended = report_of(results);
  joined.claims.insert(joined.claims.end(), ended.claims.begin(), ended.claims.end());
  joined.comparisons.insert(joined.comparisons.end(), ended.comparisons.begin(),
                            ended.comparisons.end());
  joined.normalizers = std::move(ended.normalizers);
  joined.parts.clear();
}

}  // namespace attn::properties
