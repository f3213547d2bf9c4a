#include "properties/search/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "properties/search/drawn.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/build_info.hpp"
#include "theory/base/launched.hpp"

namespace attn::properties {
namespace {

using nlohmann::json;

template <class Record>
Record record_from(const json& result) {
  Record record;
  report::read(report::Reader(result, "result"), record);
  return record;
}

}  // namespace

Schedule::Schedule(std::span<const Claim> claims, const Run& run) : run_(run) {
  for (const Claim& claim : claims) {
    const Place place{.of = states_.size()};
    states_.push_back({.claim = &claim});
    if (!claim.mutants.empty()) waiting_.emplace_back(unit_of(Task::mutants, claim), place);
    if (!claim.sharpens.empty()) waiting_.emplace_back(unit_of(Task::comparison, claim), place);
    const std::string name = cases_of(claim);
    auto cases = std::ranges::find(cases_, name, &Cases::name);
    if (cases == cases_.end()) cases = cases_.insert(cases, {.name = name});
    cases->claims.push_back(place.of);
  }
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    std::vector<Claim> decided;
    for (const std::size_t claim : cases_[i].claims) decided.push_back(claims[claim]);
    for (units::Unit& unit : draw_units(decided, run)) {
      waiting_.emplace_back(std::move(unit), Place{i, cases_[i].draws++});
    }
  }
  units_ = waiting_.size() + claims.size();  // an end each
}

std::optional<units::Unit> Schedule::next() {
  if (waiting_.empty()) return std::nullopt;
  auto [unit, place] = std::move(waiting_.front());
  waiting_.pop_front();
  begun_.emplace(unit.name, place);
  return unit;
}

void Schedule::take(const units::Unit& unit, const std::string& text) {
  const Place place = begun_.extract(unit.name).mapped();
  ++taken_;
  const Task task = task_of(unit);
  if (task == Task::draw) return take_drawn(cases_[place.of], place.draw, text);
  State& state = states_[place.of];
  const json result = json::parse(text);
  if (const auto why = failure_in(result)) {
    state.failures[task] = *why;
  } else if (task == Task::end) {
    std::vector<report::MutantRecord> mutants = std::move(state.result.record.mutants);
    state.result.record = record_from<report::ClaimRecord>(result);
    state.result.record.mutants = std::move(mutants);
  } else if (task == Task::mutants) {
    state.result.record.mutants = record_from<std::vector<report::MutantRecord>>(result);
  } else {
    state.result.comparison = record_from<report::ComparisonRecord>(result);
  }
}

void Schedule::take_drawn(Cases& cases, std::size_t draw, const std::string& text) {
  cases.texts.emplace(draw, text);
  if (cases.texts.size() < cases.draws) return;
  std::vector<json> results;
  for (const auto& [at, written] : std::exchange(cases.texts, {})) {
    results.push_back(json::parse(written));
  }
  for (const std::size_t i : std::views::reverse(cases.claims)) {
    State& state = states_[i];
    const Claim& claim = *state.claim;
    Drawn drawn(claim, property_of(claim));
    for (const json& result : results) {
      if (const auto why = failure_in(result)) {
        state.failures.emplace(Task::draw, *why);
      } else {
        drawn.merge(Drawn::from_json(claim, property_of(claim), result.at(claim.id)));
      }
    }
    if (state.failures.empty()) waiting_.emplace_front(end_unit(claim, drawn), Place{i});
  }
}

std::vector<SearchResult> Schedule::results() const {
  std::vector<SearchResult> results;
  for (const State& state : states_) {
    SearchResult result = state.result;
    if (!state.failures.empty()) {
      result = {};
      result.failure = state.failures.begin()->second;
      result.record.id = state.claim->id;
    }
    report::rejudge(result.record);
    result.record.replay = replay_command(state.claim->id, run_);
    for (report::MutantRecord& mutant : result.record.mutants) mutant.replay = result.record.replay;
    results.push_back(std::move(result));
  }
  return results;
}

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
  const BuildInfo build = build_info();
  const auto name_of = [](const auto& info) {
    return fmt::format("version {}, commit {}{}, {}, {}", info.version, info.commit,
                       info.dirty ? " with changes" : "", info.compiler, info.flags);
  };
  if (const std::string own = name_of(build); own != name_of(provenance)) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "shards",
                    .expected = "those of this build, " + own,
                    .found = name_of(provenance),
                    .advice = "join them with the build that made them"});
  }
  Run run{.seed = provenance.seed, .effort = provenance.effort, .threads = hardware_threads()};
  run.cases = provenance.cases;
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
