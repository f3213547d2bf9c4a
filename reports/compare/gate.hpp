#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/diff.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/fields.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// What a baseline keeps of a claim on one input.
struct BaselineRecord {
  ATTN_RECORD(BaselineRecord, "baseline_record", "A claim on one input.",
              (required, std::string, claim, "Its id."),
              (required, Stage, stage, "Where its cases are from."),
              (sparse, std::string, input, "Which real input."),
              (required, Status, status, "Proved or refuted."),
              (required, Outcome, outcome, "What came out."),
              (required, std::uint64_t, decided, "Cases that were decided."),
              (required, std::uint64_t, undecided,
               "Cases that stayed open, but for those that a confidence interval leaves open."),
              (sparse, std::vector<std::string>, caught, "The mutants that were caught."),
              (sparse, std::vector<std::string>, covered, "The input classes that were covered."),
              (sparse, std::optional<TightnessKind>, tightness, "How close the bound came."));
};

/// What a baseline keeps of a sharp bound beside the printed one.
struct BaselineComparison {
  ATTN_RECORD(BaselineComparison, "baseline_comparison", "A sharp bound beside the printed one.",
              (required, std::string, sharp, "Its claim."),
              (required, std::string, printed, "The printed claim."),
              (sparse, std::string, input, "On which real input."),
              (required, std::uint64_t, looser,
               "Cases where the sharp bound is certainly looser."));
};

/// The outcomes and counts of a report of an earlier state of the code, kept so that no later state
/// loses what that one had.
struct Baseline {
  std::uint64_t version{1};
  ATTN_RECORD(Baseline, "baseline", "The outcomes and counts of a report.",
              (required, , version, "The version of this format.",
               {.name = "baseline", .limits = {.words = "1", .least = 1, .most = 1}}),
              (required, RunSettings, settings, "What was run."),
              (required, std::vector<BaselineRecord>, records, "One for each claim and input."),
              (required, std::vector<BaselineComparison>, comparisons, "Of sharp bounds."));
};

Baseline baseline_of(const Report& report);

/// A baseline as JSON, a line for each record.
std::string baseline_text(const Baseline& baseline);

/// Reads what baseline_text() wrote, or a whole report. Throws BadInput for anything else.
Baseline read_baseline(const std::filesystem::path& path);

/// What `baseline` has and `report` has no longer, or has worse; claims, input classes and mutants
/// may come, and measured values may change. A record's losses: it is gone; another status,
/// whichever; a worse outcome, in the order of exit codes; more undecided cases or fewer decided
/// ones; fewer mutants caught; an input class no longer covered; a proved bound no longer attained
/// or approached. A comparison's: it is gone, or the sharp bound was never looser and is now. A
/// `missing` record of `report` is a failure of its own (see `failures`) and not named again.
///
/// The losses are `missing` or `unexpected`, each with the command that shows it, in the order of
/// the baseline. Throws BadInput where the two are runs of different things (see
/// `check_comparable`).
std::vector<Failure> worse_than(const Baseline& baseline, const Report& report);

/// What a gate asks of a report beside the report's own verdicts, and that no recorded pattern
/// contradicts the logits beside it. A condition only adds: none makes up for a failure, but for
/// the undecided cases that `most_undecided` tolerates, and such patterns by `mismatch_allowed`.
struct Conditions {
  /// So many undecided cases over all records are no failure. A record of which nothing at all was
  /// decided stays one.
  std::optional<std::uint64_t> most_undecided{};
  std::vector<Stage> stages{};         ///< stages of which the report must have records
  bool caught_on_rows{};               ///< no mutant may survive on the rows of a real input
  bool mismatch_allowed{};             ///< a recorded pattern may contradict the logits beside it
  bool proofs_checked{};               ///< Coq must have checked the proof of each claim decided
  std::optional<Baseline> baseline{};  ///< see `worse_than`
};

/// The undecided cases of all records (see the same of one record).
std::uint64_t undecided_cases(const Report& report);

/// All reasons for which `report` does not pass, unexpected and missing things first: its own
/// failures (see `failures`), then each broken condition. A broken condition counts as unexpected,
/// or as missing where it names a stage that the report has no record of. Throws BadInput where the
/// baseline cannot be compared with the report (see `check_comparable`).
std::vector<Failure> gate_failures(const Report& report, const Conditions& conditions);

}  // namespace attn::report
