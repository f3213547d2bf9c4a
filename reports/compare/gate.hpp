#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reports/compare/baseline.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// What a gate asks of a report beside the report's own verdicts. A condition only adds: none makes
/// up for a failure, but for the undecided cases that `most_undecided` tolerates.
struct Conditions {
  /// So many undecided cases over all records are no failure. A record of which nothing at all was
  /// decided stays one.
  std::optional<std::uint64_t> most_undecided{};
  std::vector<Stage> stages{};         ///< each must have records
  bool caught_on_rows{};               ///< no mutant may survive on the rows of a real input
  bool proofs_checked{};               ///< Coq must have checked the proof of each claim decided
  std::optional<Baseline> baseline{};  ///< see `worse_than`
};

/// The undecided cases of all records (see the same of one record).
std::uint64_t undecided_cases(const Report& report);

/// All for which `report` does not pass, unexpected and missing things first: its own failures (see
/// `failures`), then each broken condition. A broken condition counts as unexpected, or as missing
/// where it names a stage that the report has no record of. Throws BadInput where the baseline
/// cannot be compared with the report (see `check_comparable`).
std::vector<Failure> gate_failures(const Report& report, const Conditions& conditions);

/// The stage of "synthetic", "gpt2" or "activations"; throws BadInput for another word.
Stage stage_from(std::string_view word);

}  // namespace attn::report
