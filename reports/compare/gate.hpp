#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/baseline.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// Asks something of every record of a claim.
struct ClaimCondition {
  std::string claim{};           ///< an id of the report's catalogue
  std::optional<Stage> stage{};  ///< none: in every stage that the report has of it
  std::string asked{};           ///< in words
  /// What a record lacks, in words; empty where nothing.
  std::function<std::string(const ClaimRecord&)> lacks{};
};

/// What a gate asks of a report beside the report's own verdicts. A condition only adds: none makes
/// up for a failure, but for the undecided cases that `most_undecided` tolerates.
struct Conditions {
  /// So many undecided cases over all records are no failure. A record of which nothing at all was
  /// decided stays one.
  std::optional<std::uint64_t> most_undecided{};
  std::vector<ClaimCondition> claims{};
  std::vector<Stage> stages{};         ///< each must have records
  bool caught_on_rows{};               ///< no mutant may survive on the rows of a real input
  bool proofs_checked{};               ///< Coq must have checked the proof of each claim decided
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

// The conditions of a gate as a command line spells them. `id` is a claim of the report's
// catalogue, `id@stage` the same in one stage. The functions that read a condition throw BadInput,
// quoting it, for anything else and for a stage or an outcome that is not known.

/// "synthetic", "gpt2" or "activations".
Stage stage_from(std::string_view word);

/// "id=outcome": every record has that outcome, one of report.json with hyphens or spaces:
/// "as-expected".
ClaimCondition required_outcome_from(std::string_view text);

/// "id<=x", where x is a finite decimal number: every record has a largest lhs/rhs (`max_ratio`) of
/// at most x.
ClaimCondition tightness_limit_from(std::string_view text);

/// Throws BadInput, naming the catalogue and the nearest ids, where a condition is about a claim
/// that the report's catalogue does not have.
void check_claims(const Conditions& conditions, const Report& report);

}  // namespace attn::report
