#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"
#include "theory/verdict.hpp"

namespace attn::report {

/// How the verdicts of one claim in one stage compare with what its status says.
enum class Outcome {
  as_expected,
  unexpected,   ///< a proved claim violated, or a false one never violated by search
  undecided,    ///< nothing unexpected, but some case stayed open at the precision cap
  not_covered,  ///< no case was run, or none met the hypotheses
  missing,      ///< the stage has no record of a claim that it must have
};

std::string_view to_string(Outcome outcome);

/// The inverse of to_string. Throws BadInput for any other word.
Outcome outcome_from(std::string_view word);

struct Counts {
  std::uint64_t cases{}, holds{}, equal{}, violated{}, undecided{}, assumption_not_met{};
};

Counts counts_of(const ClaimRecord& record);

/// The outcome of one claim in one stage: the only place where verdicts become a judgement.
///
/// On real input a refuted claim may be violated or not; an attained bound (`equal`) is fine for
/// every claim. Never returns `missing`, which only the absence of a record can say.
Outcome judge(Status status, std::string_view stage, const Counts& counts);

/// Adds a `missing` record for every claim of the catalogue that a stage of `report` must have and
/// has not, and puts the records in their fixed order: claims as in the catalogue, then stages as
/// in kStages. A stage that has no record at all was not run and is left alone.
void complete(Report& report);

/// One thing that keeps a report from exit code 0.
struct Failure {
  std::string id, stage, outcome;
  std::string reason;  ///< one sentence
  std::string replay;  ///< the command that runs it again
};

/// Every failure, unexpected and missing ones first.
std::vector<Failure> failures(const Report& report);

/// The exit code of a run, from its report alone: kUnexpected where any record is unexpected or
/// missing, else kUndecided where any is undecided or not covered or there is none, else 0.
int exit_code(const Report& report);

}  // namespace attn::report
