#include "reports/compare/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "reports/text/format.hpp"
#include "theory/base/exit_code.hpp"

namespace attn::report {
namespace {

bool is_grave_failure(const Failure& failure) {
  return is_grave(failure.outcome);
}

/// `report` without its undecided cases, wherever others were decided.
Report without_undecided(Report report) {
  for (ClaimRecord& record : report.claims) {
    if (decided_cases(record) == 0) continue;
    record.undecided = record.sampled_open;
    rejudge(record);
  }
  return report;
}

std::vector<const ClaimRecord*> records_of(const Report& report, const Subject& subject) {
  std::vector<const ClaimRecord*> records;
  for (const ClaimRecord& record : report.claims) {
    const bool in_stage = !subject.stage || record.stage == subject.stage;
    if (record.id == subject.claim && in_stage) records.push_back(&record);
  }
  return records;
}

Failure without_record(const Subject& subject, std::string_view asked) {
  const auto source = subject.stage ? std::optional(Source{.stage = *subject.stage}) : std::nullopt;
  return {subject.claim,
          source,
          Outcome::missing,
          fmt::format("{}, but the report has no record of this claim", asked),
          {}};
}

/// One failure for each record of `subject` of which `lack` says what it lacks, or one where there
/// is no record. `asked`: the condition in words.
template <class Lack>
void check(const Report& report, const Subject& subject, std::string_view asked, Lack lack,
           std::vector<Failure>& found) {
  const std::vector<const ClaimRecord*> records = records_of(report, subject);
  if (records.empty()) found.push_back(without_record(subject, asked));
  for (const ClaimRecord* const record : records) {
    const std::string lacking = lack(*record);
    if (lacking.empty()) continue;
    found.push_back({record->id, source_of(*record), Outcome::unexpected,
                     fmt::format("{}, but {}", asked, lacking), record->replay});
  }
}

void check_stage(const Report& report, Stage stage, std::vector<Failure>& found) {
  const auto of_stage = [&](const ClaimRecord& record) {
    return record.stage == stage && record.outcome != Outcome::missing;
  };
  if (std::ranges::any_of(report.claims, of_stage)) return;
  found.push_back({"every claim",
                   Source{.stage = stage},
                   Outcome::missing,
                   "the stage is required, but the report has no record of it",
                   {}});
}

void check_outcome(const Report& report, const RequiredOutcome& required,
                   std::vector<Failure>& found) {
  check(
      report, required.of,
      fmt::format("the outcome \"{}\" is required", to_string(required.outcome)),
      [&](const ClaimRecord& record) {
        return record.outcome == required.outcome
                   ? std::string()
                   : fmt::format("it is \"{}\"", to_string(record.outcome));
      },
      found);
}

void check_tightness(const Report& report, const TightnessLimit& limit,
                     std::vector<Failure>& found) {
  check(
      report, limit.of, fmt::format("the largest lhs/rhs must be at most {}", limit.most),
      [&](const ClaimRecord& record) -> std::string {
        if (!record.max_ratio) return "no case has one";
        return *record.max_ratio <= limit.most ? "" : fmt::format("it is {}", *record.max_ratio);
      },
      found);
}

}  // namespace

std::uint64_t undecided_cases(const Report& report) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t cases = 0;
  for (const ClaimRecord& record : report.claims) {
    cases += std::min(undecided_cases(record), kMost - cases);  // never around to a small number
  }
  return cases;
}

std::vector<Failure> gate_failures(const Report& report, const Conditions& conditions) {
  const std::uint64_t undecided = undecided_cases(report);
  const auto& most = conditions.most_undecided;
  const bool tolerated = most && undecided <= *most;
  const Report judged = tolerated ? without_undecided(report) : report;

  std::vector<Failure> found = failures(judged);
  for (Failure& failure : found) {
    if (!most || failure.outcome != Outcome::undecided) continue;
    failure.reason += tolerated ? "; tolerated only where other cases are decided"
                                : fmt::format("; {} in all, at most {} are tolerated",
                                              grouped(undecided), grouped(*most));
  }
  for (const Stage stage : conditions.stages) check_stage(report, stage, found);
  for (const RequiredOutcome& required : conditions.outcomes) {
    check_outcome(report, required, found);
  }
  for (const TightnessLimit& limit : conditions.tightness) check_tightness(report, limit, found);
  if (conditions.caught_on_rows) {
    std::ranges::move(survivors_on_rows(report), std::back_inserter(found));
  }
  if (conditions.baseline) {
    std::ranges::move(worse_than(*conditions.baseline, judged), std::back_inserter(found));
  }
  std::ranges::stable_partition(found, is_grave_failure);
  return found;
}

int exit_code(const std::vector<Failure>& failures) {
  if (std::ranges::any_of(failures, is_grave_failure)) return kUnexpected;
  return failures.empty() ? kAsExpected : kUndecided;
}

}  // namespace attn::report
