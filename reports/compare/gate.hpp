#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/baseline.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// A claim in one stage; in every stage that a report has of it where `stage` is empty.
struct Subject {
  std::string claim;           ///< an id of the report's catalogue
  std::optional<Stage> stage;  ///< none: every stage
};

/// Every record of the claim must have this outcome.
struct RequiredOutcome {
  Subject of;
  Outcome outcome;
};

/// Every record of the claim must have a largest lhs/rhs (`max_ratio`) of at most `most`.
struct TightnessLimit {
  Subject of;
  double most{};
};

/// What a gate asks of a report beside the report's own verdicts. A condition only adds: none makes
/// up for a failure, but for the undecided cases that `most_undecided` tolerates.
struct Conditions {
  /// So many undecided cases over all records are no failure. A record of which nothing at all was
  /// decided stays one.
  std::optional<std::uint64_t> most_undecided{};
  std::vector<RequiredOutcome> outcomes{};
  std::vector<TightnessLimit> tightness{};
  std::vector<Stage> stages{};         ///< each must have records
  bool caught_on_rows{};               ///< no mutant may survive on the rows of a real input
  std::optional<Baseline> baseline{};  ///< see `worse_than`
};

/// The undecided cases of all records (see the same of one record).
std::uint64_t undecided_cases(const Report& report);

/// All for which `report` does not pass, unexpected and missing things first: its own failures (see
/// `failures`), then each broken condition. A broken condition counts as unexpected, or as missing
/// where it names a claim that the report has no record of. NaN meets no limit, and neither does a
/// record without any lhs/rhs. Throws BadInput where the baseline cannot be compared with the
/// report (see `check_comparable`).
std::vector<Failure> gate_failures(const Report& report, const Conditions& conditions);

/// The exit code of a gate: kUnexpected where anything is unexpected or missing, else kUndecided
/// where anything failed, else 0.
int exit_code(const std::vector<Failure>& failures);

}  // namespace attn::report
