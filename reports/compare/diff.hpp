#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/comparable.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// What is different about one thing: a claim in a stage, a pair of claims, a statement.
struct Change {
  std::string of;                       ///< "corollary3 (gpt2)"
  std::vector<Difference> differences;  ///< never empty
};

/// How the numbers of one measure on real input changed.
struct MeasureChange {
  std::string measure;                  ///< "distance by length: bound"
  std::size_t values{}, changed{};      ///< changed: another number, or there in one run only
  double largest{};                     ///< |after - before| over the larger of |after|, |before|
  std::string place;                    ///< of the largest change
  std::optional<double> before, after;  ///< there; none: the run has no such value
  std::optional<double> mean_before, mean_after;  ///< of a measure of heads, over the heads
};

/// What changed from one run to another.
struct Diff {
  std::vector<Difference> runs;              ///< what makes them incomparable (see different_runs)
  std::vector<Difference> builds;            ///< what one compares them for (see different_builds)
  std::vector<Change> verdicts;              ///< outcome and status; claims that only one run has
  std::vector<Change> counts;                ///< of cases
  std::vector<Change> tightness;             ///< largest lhs/rhs; how close the hill climb came
  std::vector<Change> comparisons;           ///< sharp bounds beside the printed ones
  std::vector<Change> guards;                ///< mutants and input classes
  std::vector<Change> statements;            ///< of the paper's abstract, measured
  std::vector<MeasureChange> figures;        ///< the measures that changed
  std::vector<MeasureChange> heads;          ///< the same, of what was measured on each head
  std::size_t claims{}, unchanged_claims{};  ///< in all stages that both runs have
  std::size_t compared{}, unchanged_comparisons{};
  std::size_t measures{}, unchanged_measures{};
};

/// Compares two reports, whether or not they are of the same run: who wants to refuse those that
/// are not asks check_comparable first. A stage that only one of them has is named in `runs` and
/// left out of everything else; so is real input where only one has it. Of a witness or worst case
/// nothing is compared but its lhs/rhs.
Diff diff(const Report& before, const Report& after);

}  // namespace attn::report
