#include "properties/search/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "properties/search/drawn.hpp"
#include "properties/search/witness.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/record_json.hpp"
#include "theory/base/quantile.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/ground.hpp"
#include "theory/number/scalar.hpp"

namespace attn::properties {
namespace {

/// Beyond doubt |a - b| < 10^-190 of the larger, or the same number.
bool agree(const Interval& a, const Interval& b) {
  if (a.lower() == b.upper() && a.upper() == b.lower()) return true;
  const Interval size = max(abs(a), abs(b));
  return abs(a - b).upper() < size.lower() * pow(Interval::End(10), -190);
}

/// NaN, of which nothing is known, is not less.
bool certainly_less(const Bounds& a, const Bounds& b) {
  return a.upper < b.lower;
}

template <class S>
Relation relation(const Sides<S>& sharp, const Sides<S>& printed) {
  const bool better =
      certainly_less(printed.lhs, sharp.lhs) || certainly_less(sharp.rhs, printed.rhs);
  const bool worse =
      certainly_less(sharp.lhs, printed.lhs) || certainly_less(printed.rhs, sharp.rhs);
  if (better && worse) throw std::logic_error("claims compared that do not share a side");
  if (better) return Relation::tighter;
  return worse ? Relation::looser : Relation::unknown;
}

Sides<Bounds> sides_of(const Decision& decision) {
  return {.lhs = decision.lhs_bounds, .rhs = decision.rhs_bounds};
}

bool is_attained(const Claim& claim, const CaseContext& problem) {
  return claim.attained != nullptr && claim.attained(problem);
}

using nlohmann::json;

constexpr const char* kFailure = "failure";

/// The first words of the names of units.
constexpr Word<Task> kTasks[] = {{"draw", Task::draw},
                                 {"end", Task::end},
                                 {"mutants", Task::mutants},
                                 {"comparison", Task::comparison}};

units::Unit unit_of(Task task, std::span<const Claim> claims, std::string_view of,
                    json input = json::object()) {
  const std::string_view word = to_word(kTasks, task);
  input["task"] = word;
  for (const Claim& claim : claims) input["claims"].push_back(claim.id);
  return {fmt::format("{} {}", word, of), input.dump()};
}

units::Unit unit_of(Task task, const Claim& claim, json input = json::object()) {
  return unit_of(task, {&claim, 1}, claim.id, std::move(input));
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
    records.push_back(try_mutant(claim, mutant, property_seed(run.seed, mutant.id),
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
  const Search plan{.seed = property_seed(run.seed, cases_of(claim)),
                    .shrink = budget.shrink,
                    .climb = budget.climb,
                    .regressions = regressions_of(claim, run.regressions)};
  return json(report::json_of(
      finish(claim, plan, Drawn::from_json(claim, property_of(claim), input.at("drawn")))));
}

json computed(const std::vector<Claim>& claims, const json& input, const Run& run) {
  const Claim& claim = claims.front();
  switch (from_word(kTasks, input.at("task").get<std::string>())) {
    case Task::draw:
      return drawn_as(claims, input);
    case Task::end:
      return ended(claim, input, run);
    case Task::mutants:
      return mutants_of(claim, run);
    case Task::comparison:
      break;
  }
  return compared(claim, run);
}

}  // namespace

Relation compare(const Claim& sharp, const Claim& printed, const CaseContext& problem) {
  const auto level = [&](auto evaluate) {
    return relation((sharp.evaluators->*evaluate)(problem),
                    (printed.evaluators->*evaluate)(problem));
  };
  if (const Relation found = level(&Evaluators::filter); found != Relation::unknown) {
    return found;
  }
  // Both equal to the side that they share.
  if (is_attained(sharp, problem) && is_attained(printed, problem)) return Relation::as_tight;
  if (const Relation found = level(&Evaluators::enclose); found != Relation::unknown) {
    return found;
  }
  const WorkingDigits working(kCapDigits);
  const auto a = sharp.evaluators->enclose(problem);
  const auto b = printed.evaluators->enclose(problem);
  const Relation found = relation(a, b);
  if (found != Relation::unknown) return found;
  return agree(a.lhs, b.lhs) && agree(a.rhs, b.rhs) ? Relation::as_tight : Relation::unknown;
}

report::ComparisonRecord compare_on_drawn(const Claim& sharp, const Claim& printed,
                                          std::uint64_t seed, std::size_t cases) {
  report::ComparisonRecord record{.sharp = std::string(sharp.id),
                                  .printed = std::string(printed.id)};
  std::vector<double> sharp_ratios;
  std::vector<double> printed_ratios;
  Stream stream(sharp, seed, cases);
  while (const auto drawn = stream.next()) {
    const Case& input = drawn->input;
    const CaseContext problem(input);
    const Decision of_sharp = decide(sharp, problem);
    const Decision of_printed = decide(printed, problem);
    const auto sharp_ratio = report::tightness(of_sharp);
    const auto printed_ratio = report::tightness(of_printed);
    if (!sharp_ratio || !printed_ratio) continue;
    ++record.cases;
    sharp_ratios.push_back(*sharp_ratio);
    printed_ratios.push_back(*printed_ratio);
    // What was decided often says it, and no side is computed anew.
    const Relation decided = relation(sides_of(of_sharp), sides_of(of_printed));
    switch (decided == Relation::unknown ? compare(sharp, printed, problem) : decided) {
      case Relation::tighter:
        ++record.tighter;
        break;
      case Relation::as_tight:
        ++record.as_tight;
        break;
      case Relation::looser:
        ++record.looser;
        break;
      case Relation::unknown:
        break;
    }
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

units::Unit mutants_unit(const Claim& claim) {
  return unit_of(Task::mutants, claim);
}

units::Unit comparison_unit(const Claim& claim) {
  return unit_of(Task::comparison, claim);
}

units::Unit end_unit(const Claim& claim, const Drawn& drawn) {
  return unit_of(Task::end, claim, {{"drawn", drawn.to_json()}});
}

std::optional<std::string> failure_in(const json& result) {
  if (!result.is_object() || !result.contains(kFailure)) return std::nullopt;
  return result.at(kFailure).get<std::string>();
}

units::Compute unit_computer(std::span<const Claim> claims, const Run& run) {
  check_ground(budget_of(run.effort).times);
  return [claims, &run](const std::string& text) -> units::Result {
    const json input = json::parse(text);
    std::vector<Claim> of;
    for (const std::string id : input.at("claims")) {
      of.push_back(*std::ranges::find(claims, id, &Claim::id));
    }
    try {
      return {computed(of, input, run).dump()};
    } catch (const BrokenGround&) {
      throw;
    } catch (const std::exception& error) {
      return {json{{kFailure, error.what()}}.dump(), false};
    }
  };
}

}  // namespace attn::properties
