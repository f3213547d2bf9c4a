#include "properties/search/schedule.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "properties/search/run.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"

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
    const std::size_t at = states_.size();
    states_.push_back({.claim = &claim, .drawn = Drawn(claim, property_of(claim))});
    if (!claim.mutants.empty()) guards_.emplace_back(at, mutants_unit(claim));
    if (!claim.sharpens.empty()) guards_.emplace_back(at, comparison_unit(claim));
  }
}

std::optional<units::Unit> Schedule::next() {
  if (auto unit = next_end()) return unit;
  if (auto unit = next_guard()) return unit;
  return next_draw();
}

std::optional<units::Unit> Schedule::next_end() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    if (state.is_ended || !state.is_drawn || state.joined < state.begun) continue;
    state.is_ended = true;
    if (!state.failures.empty()) continue;
    return begin(end_unit(*state.claim, state.drawn,
                          run_.cases ? std::optional<std::uint64_t>(state.batches) : std::nullopt),
                 {.claim = i});
  }
  return std::nullopt;
}

std::optional<units::Unit> Schedule::next_guard() {
  if (guards_.empty()) return std::nullopt;
  auto [claim, unit] = std::move(guards_.front());
  guards_.pop_front();
  return begin(std::move(unit), {.claim = claim});
}

std::optional<units::Unit> Schedule::next_draw() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    if (state.is_drawn) continue;
    if (state.batch.empty() && !begin_batch(state)) {
      state.is_drawn = true;
      if (auto end = next_end()) return end;
      continue;
    }
    units::Unit unit = std::move(state.batch.front());
    state.batch.pop_front();
    return begin(std::move(unit), {i, state.begun++});
  }
  return std::nullopt;
}

/// Whether there is a further batch.
bool Schedule::begin_batch(State& state) {
  const auto batch = batch_after(run_, *state.claim, state.batches, state.cases);
  if (!batch) return false;
  const std::size_t count = portions_of(*batch, *state.claim);
  for (std::size_t i = 0; i < count; ++i) {
    state.batch.push_back(draw_unit(*state.claim, state.batches, *batch, {i, count}));
  }
  ++state.batches;
  state.cases += batch->cases;
  return true;
}

units::Unit Schedule::begin(units::Unit unit, const Begun& what) {
  begun_.emplace(unit.name, what);
  return unit;
}

void Schedule::take(const units::Unit& unit, const std::string& text) {
  const Begun what = begun_.extract(unit.name).mapped();
  State& state = states_[what.claim];
  ++taken_;
  const Task task = task_of(unit);
  if (task == Task::draw) return take_drawn(state, what, text);
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

void Schedule::take_drawn(State& state, const Begun& what, const std::string& text) {
  state.early.emplace(what.portion, text);
  for (auto next = state.early.extract(state.joined); !next.empty();
       next = state.early.extract(state.joined)) {
    join(state, next.mapped());
  }
}

void Schedule::join(State& state, const std::string& text) {
  ++state.joined;
  const json result = json::parse(text);
  if (const auto why = failure_in(result)) {
    state.failures.emplace(Task::draw, *why);
  } else {
    state.drawn.merge(Drawn::from_json(*state.claim, property_of(*state.claim), result));
  }
}

std::size_t Schedule::units() const {
  std::size_t units = 0;
  for (const State& state : states_) {
    const Claim& claim = *state.claim;
    units += 1 + (claim.mutants.empty() ? 0U : 1U) + (claim.sharpens.empty() ? 0U : 1U);
    std::size_t cases = 0;
    for (std::size_t k = 0; const auto batch = batch_after(run_, claim, k, cases); ++k) {
      units += portions_of(*batch, claim);
      cases += batch->cases;
    }
  }
  return units;
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
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace attn::properties
