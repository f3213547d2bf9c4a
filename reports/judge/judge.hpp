#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/report.hpp"
#include "theory/attention/nonnegative_draws.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {

/// A proved claim that fewer mutants guard is not covered by its search.
inline constexpr std::size_t kLeastMutants = 2;

/// The outcome of one claim in one stage, from its status, counts, input classes and mutants: the
/// only place where verdicts become a judgement. What `record` says of its outcome is not read.
///
/// On real input a refuted claim may be violated or not, and a mutant may survive: that says what
/// these rows can tell, not whether the claim is right. An attained bound (`equal`) is fine for
/// every claim. Never returns `missing`, which only the absence of a record can say.
Outcome judge(const ClaimRecord& record);

/// Sets the outcome of `record` to what judge() says, after its counts, classes or mutants changed.
void rejudge(ClaimRecord& record);

/// A catalogue as a report names it. `eval`: the command that decides cases of its claims, before
/// the name of their file.
CatalogueRecord record_of(const Catalogue& claims, const std::string& eval);

/// The catalogue of a report, the paper's where it names none.
const CatalogueRecord& catalogue_of(const Report& report);

/// Adds a `missing` record for every claim of the report's catalogue that a stage of `report` must
/// have and has not, and puts the records in their fixed order: claims as in the catalogue, then
/// stages as in the enumeration, then inputs as they came; comparisons by their sharp claim. A
/// stage that has no record at all was not run and is left alone; so is a shard, which does not
/// have to have any claim.
void complete(Report& report);

/// One thing that keeps a report from exit code 0.
struct Failure {
  std::string id;
  std::optional<Source> source;  ///< none: no stage has a record
  Outcome outcome{};
  std::string reason;    ///< one sentence
  std::string replay{};  ///< the command that runs it again; empty where there is no record
};

/// A failure of the record, with its replay.
Failure failure_of(const ClaimRecord& record, Outcome outcome, std::string reason);

/// Cases that meet the hypotheses of the claim: shares of cases are of these.
std::uint64_t applicable_cases(const ClaimRecord& record);

/// Cases with a verdict: holds, equal or violated.
std::uint64_t decided_cases(const ClaimRecord& record);

/// Cases left open at the precision cap; those that a confidence interval leaves open do not count.
std::uint64_t undecided_cases(const ClaimRecord& record);

/// Whether a failure is unexpected or missing: then an exit code is kUnexpected.
bool is_grave(Outcome outcome);

/// Where a failure is, in words: "synthetic", "gpt2, tiny", "any stage".
std::string source_words(const Failure& failure);

/// Every failure, unexpected and missing ones first. A record can have several; a report without
/// any record is one.
std::vector<Failure> failures(const Report& report);

/// The mutants that the rows of a real input cannot tell from the claim: no failures of the report.
std::vector<Failure> survivors_on_rows(const Report& report);

/// The exit code of a gate: kUnexpected where anything is unexpected or missing, else kUndecided
/// where anything failed, else 0.
int exit_code(const std::vector<Failure>& failures);

/// The exit code of a run, from its report alone.
int exit_code(const Report& report);

// What stands behind the silence of a search, in words: mutants, input classes, sampled cases.

/// With what confidence the interval of a sampled expectation holds it, for each case.
inline constexpr std::string_view kSampledConfidence = "$1 - 10^-9$";
static_assert(kConfidence == 1 - 1e-9);

/// Totals over the records of a report.
struct SearchChecks {
  std::uint64_t mutants{}, caught{};
  std::uint64_t classes{}, covered{};
  std::uint64_t sampled{}, sampled_open{};
};

SearchChecks guards_of(const Report& report);

/// "2 of 2 caught", "all 6 covered", "1 of 6 not covered"; empty where there are none.
std::string mutants_in_short(std::uint64_t caught, std::uint64_t mutants);
std::string classes_in_short(std::uint64_t covered, std::uint64_t classes);

}  // namespace attn::report
