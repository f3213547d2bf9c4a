#include "properties/search/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "properties/search/drawn.hpp"
#include "properties/search/witness.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/record_json.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/base/quantile.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evidence.hpp"
#include "theory/claims/relation.hpp"
#include "theory/number/machine_assumptions.hpp"

namespace attn::properties {
namespace {

using nlohmann::json;

constexpr const char* kFailure = "failure";

/// The first words of the names of units.
constexpr Word<Task> kTasks[] = {{"draw", Task::draw},
                                 {"end", Task::end},
                                 {"mutants", Task::mutants},
                                 {"comparison", Task::comparison}};

units::Unit unit_of(Task task, std::span<const Claim> claims, std::string_view of,
                    json input = json::object()) {
  input["task"] = to_word(kTasks, task);
  for (const Claim& claim : claims) input["claims"].push_back(claim.id);
  return {fmt::format("{} {}", to_word(kTasks, task), of), input.dump()};
}

json drawn_as(const std::vector<Claim>& claims, const json& input) {
  const Claim& any = claims.front();
  const Portion portion{input.at("portion"), input.at("portions")};
  const Stream cases(any, input.at("seed"), input.at("cases"), portion);
  json all;
  for (const Drawn& drawn : draw(claims, property_of(any), cases)) {
    all[drawn.tally.counts().id] = drawn.to_json();
  }
  return all;
}

json mutants_of(const Claim& claim, const Run& run) {
  std::vector<report::MutantRecord> records;
  for (const Mutant& mutant : claim.mutants) {
    records.push_back(try_mutant(claim, mutant, run.regressions, property_seed(run.seed, mutant.id),
                                 cases_per_claim(run.effort, claim)));
  }
  return json(report::json_of(records));
}

json compared(const Claim& claim, const Run& run) {
  const std::string pair = fmt::format("{} beside {}", claim.id, claim.sharpens);
  return json(report::json_of(compare_on_drawn(claim, run.catalogue->at(claim.sharpens),
                                               property_seed(run.seed, pair),
                                               budget_of(run.effort).comparison)));
}

json ended(const Claim& claim, const json& input, const Run& run) {
  const SearchBudget& budget = budget_of(run.effort);
  Search search{.seed = property_seed(run.seed, cases_of(claim)),
                .shrink = budget.shrink,
                .climb = budget.climb};
  std::ranges::copy_if(run.regressions, std::back_inserter(search.regressions),
                       [&](const Regression& kept) { return kept.claim == claim.id; });
  return json(report::json_of(
      finish(claim, search, Drawn::from_json(claim, property_of(claim), input.at("drawn")))));
}

json computed(const std::vector<Claim>& claims, const json& input, const Run& run) {
  const Claim& claim = claims.front();
  const Task task = from_word(kTasks, input.at("task").get<std::string>());
  if (task == Task::draw) return drawn_as(claims, input);
  if (task == Task::end) return ended(claim, input, run);
  return task == Task::mutants ? mutants_of(claim, run) : compared(claim, run);
}

}  // namespace

report::ComparisonRecord compare_on_drawn(const Claim& sharp, const Claim& printed,
                                          std::uint64_t seed, std::size_t cases) {
  report::ComparisonRecord record{.sharp = std::string(sharp.id),
                                  .printed = std::string(printed.id)};
  std::vector<double> sharp_ratios;
  std::vector<double> printed_ratios;
  Stream stream(sharp, seed, cases);
  while (const auto drawn = stream.next()) {
    const Case& input = drawn->input;
    const CaseContext context(input);
    const Decision of_sharp = decide(sharp, context);
    const Decision of_printed = decide(printed, context);
    const auto sharp_ratio = finite_tightness(of_sharp);
    const auto printed_ratio = finite_tightness(of_printed);
    if (!sharp_ratio || !printed_ratio) continue;
    sharp_ratios.push_back(*sharp_ratio);
    printed_ratios.push_back(*printed_ratio);
    const Relation decided = relation(of_sharp, of_printed);
    report::count(record,
                  decided == Relation::unknown ? close_relation(sharp, printed, context) : decided);
  }
  if (record.cases == 0) {
    throw std::runtime_error(
        fmt::format("{} and {} share no case with a ratio", sharp.id, printed.id));
  }
  record.median_sharp = median(std::move(sharp_ratios));
  record.median_printed = median(std::move(printed_ratios));
  return record;
}

Task task_of(const units::Unit& unit) {
  return from_word(kTasks, unit.name.substr(0, unit.name.find(' ')));
}

std::vector<units::Unit> draw_units(std::span<const Claim> claims, const Run& run) {
  // Neither threads nor machines decide how the cases are cut, so that they change no result.
  constexpr std::size_t kQuickSearches = 3;
  const Claim& any = claims.front();
  const std::string of = cases_of(any);
  const std::size_t most = kQuickSearches * cases_per_claim(Effort::quick, any);
  const std::size_t cases = run.cases.value_or(cases_per_claim(run.effort, any));
  const std::size_t portions = (cases + most - 1) / most;
  std::vector<units::Unit> units;
  for (std::size_t i = 0; i < portions; ++i) {
    const json input = {{"seed", property_seed(run.seed, of)},
                        {"cases", cases},
                        {"portion", i},
                        {"portions", portions}};
    units.push_back(unit_of(Task::draw, claims, fmt::format("{} {}", of, i), input));
  }
  return units;
}

units::Unit unit_of(Task task, const Claim& claim) {
  return unit_of(task, {&claim, 1}, claim.id);
}

units::Unit end_unit(const Claim& claim, const Drawn& drawn) {
  return unit_of(Task::end, {&claim, 1}, claim.id, {{"drawn", drawn.to_json()}});
}

std::optional<std::string> failure_in(const json& result) {
  const auto found = result.find(kFailure);  // or what a claim of that name gave
  if (found == result.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

units::Compute unit_computer(std::span<const Claim> claims, const Run& run) {
  check_machine_assumptions(budget_of(run.effort).times);
  return [claims, &run](const std::string& text) -> units::Result {
    const json input = json::parse(text);
    std::vector<Claim> of;
    for (const std::string id : input.at("claims")) {
      of.push_back(*std::ranges::find(claims, id, &Claim::id));
    }
    try {
      return {computed(of, input, run).dump()};
    } catch (const BrokenAssumption&) {
      throw;
    } catch (const std::exception& error) {
      return {json{{kFailure, error.what()}}.dump(), false};
    }
  };
}

}  // namespace attn::properties
