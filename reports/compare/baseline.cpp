#include "reports/compare/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "reports/compare/comparable.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// One thing that is worse than it was.
struct Loss {
  std::string reason;
  std::string replay{};  ///< of a mutant; else empty: that of the record
};

/// How bad an outcome is, in the order of exit codes.
int badness(Outcome outcome) {
  switch (outcome) {
    case Outcome::as_expected:
      return 0;
    case Outcome::undecided:
    case Outcome::not_covered:
      return 1;
    case Outcome::unexpected:
      return 2;
    case Outcome::missing:
      break;
  }
  return 3;
}

/// How close a bound comes: 0 where nothing is known.
int closeness(const std::optional<TightnessRecord>& tightness) {
  if (!tightness) return 0;
  switch (tightness->kind) {
    case TightnessKind::attained:
      return 3;
    case TightnessKind::approached:
      return 2;
    case TightnessKind::loose:
      break;
  }
  return 1;
}

void compare_verdicts(const ClaimRecord& was, const ClaimRecord& is, std::vector<Loss>& losses) {
  if (is.status != was.status) {
    losses.push_back({fmt::format("the status is \"{}\", \"{}\" in the baseline",
                                  attn::to_string(is.status), attn::to_string(was.status))});
  }
  if (badness(is.outcome) > badness(was.outcome)) {
    losses.push_back({fmt::format("the outcome is \"{}\", \"{}\" in the baseline",
                                  to_string(is.outcome), to_string(was.outcome))});
  }
  const std::uint64_t open = undecided_cases(is);
  const std::uint64_t open_before = undecided_cases(was);
  if (open > open_before) {
    losses.push_back({fmt::format("{} cases undecided, {} in the baseline", grouped(open),
                                  grouped(open_before))});
  }
  if (decided_cases(is) < decided_cases(was)) {
    losses.push_back({fmt::format("{} cases decided, {} in the baseline",
                                  grouped(decided_cases(is)), grouped(decided_cases(was)))});
  }
}

void compare_mutants(const ClaimRecord& was, const ClaimRecord& is, std::vector<Loss>& losses) {
  const auto caught = std::ranges::count_if(is.mutants, &MutantRecord::caught);
  const auto caught_before = std::ranges::count_if(was.mutants, &MutantRecord::caught);
  if (caught >= caught_before) return;
  std::string lost, replay;
  for (const MutantRecord& before : was.mutants) {
    if (!before.caught) continue;
    const auto now = std::ranges::find(is.mutants, before.id, &MutantRecord::id);
    if (now != is.mutants.end() && now->caught) continue;
    lost += fmt::format("{}{}", lost.empty() ? "" : ", ", before.id);
    if (replay.empty() && now != is.mutants.end()) replay = now->replay;
  }
  losses.push_back({fmt::format("{} of {} mutants caught, {} of {} in the baseline; no longer: {}",
                                caught, is.mutants.size(), caught_before, was.mutants.size(), lost),
                    replay});
}

void compare_classes(const ClaimRecord& was, const ClaimRecord& is, std::vector<Loss>& losses) {
  for (const ClassRecord& before : was.classes) {
    if (!before.covered) continue;
    const auto now = std::ranges::find(is.classes, before.name, &ClassRecord::name);
    if (now == is.classes.end()) {
      losses.push_back(
          {fmt::format("the input class \"{}\" is gone, covered in the baseline by {} "
                       "cases",
                       before.name, grouped(before.cases))});
    } else if (!now->covered) {
      losses.push_back(
          {fmt::format("the input class \"{}\" is not covered with {} cases, covered "
                       "in the baseline with {}",
                       before.name, grouped(now->cases), grouped(before.cases))});
    }
  }
}

void compare_tightness(const ClaimRecord& was, const ClaimRecord& is, std::vector<Loss>& losses) {
  if (closeness(is.tightness) >= closeness(was.tightness)) return;
  const std::string now =
      is.tightness
          ? fmt::format("{} (lhs/rhs {})", to_string(is.tightness->kind), is.tightness->ratio)
          : "without a tightness";
  losses.push_back({fmt::format("the bound is {}, {} (lhs/rhs {}) in the baseline", now,
                                to_string(was.tightness->kind), was.tightness->ratio)});
}

std::vector<Loss> losses_of(const ClaimRecord& was, const ClaimRecord& is) {
  std::vector<Loss> losses;
  compare_verdicts(was, is, losses);
  compare_mutants(was, is, losses);
  compare_classes(was, is, losses);
  compare_tightness(was, is, losses);
  return losses;
}

const ClaimRecord* record_in(const Report& report, const std::string& id, const Source& source) {
  const auto at = std::ranges::find_if(report.claims, [&](const ClaimRecord& record) {
    return record.id == id && source_of(record) == source;
  });
  return at == report.claims.end() ? nullptr : &*at;
}

void compare_record(const ClaimRecord& was, const Report& report, std::vector<Failure>& found) {
  if (was.outcome == Outcome::missing) return;
  const ClaimRecord* const is = record_in(report, was.id, source_of(was));
  if (is == nullptr) {
    found.push_back({was.id, source_of(was), Outcome::missing,
                     fmt::format("no record, \"{}\" in the baseline", to_string(was.outcome)),
                     was.replay});
    return;
  }
  if (is->outcome == Outcome::missing) return;
  for (Loss& loss : losses_of(was, *is)) {
    found.push_back({is->id, source_of(*is), Outcome::unexpected, std::move(loss.reason),
                     loss.replay.empty() ? is->replay : loss.replay});
  }
}

/// What was lost of a comparison; empty where nothing was.
std::string loss_of(const ComparisonRecord& was, const Report& report) {
  const auto is = std::ranges::find_if(report.comparisons, [&](const ComparisonRecord& other) {
    return other.sharp == was.sharp && other.printed == was.printed && other.input == was.input;
  });
  if (is == report.comparisons.end()) {
    return fmt::format("no comparison with {}, on {} cases in the baseline", was.printed,
                       grouped(was.cases));
  }
  if (was.looser > 0 || is->looser == 0) return {};
  return fmt::format("looser than {} in {} of {} cases, in none in the baseline", was.printed,
                     grouped(is->looser), grouped(is->cases));
}

void compare_comparison(const ComparisonRecord& was, const Report& report,
                        std::vector<Failure>& found) {
  std::string loss = loss_of(was, report);
  if (loss.empty()) return;
  const auto record = std::ranges::find_if(report.claims, [&](const ClaimRecord& claim) {
    return claim.id == was.sharp && claim.input == was.input;
  });
  const bool is_there = record != report.claims.end();
  found.push_back({was.sharp, is_there ? source_of(*record) : Source{.input = was.input},
                   Outcome::unexpected, std::move(loss),
                   is_there ? record->replay : std::string()});
}

}  // namespace

std::vector<Failure> worse_than(const Report& baseline, const Report& report) {
  check_comparable(baseline, "the baseline", report, "the report");
  std::vector<Failure> found;
  for (const ClaimRecord& was : baseline.claims) compare_record(was, report, found);
  for (const ComparisonRecord& was : baseline.comparisons) {
    compare_comparison(was, report, found);
  }
  return found;
}

}  // namespace attn::report
