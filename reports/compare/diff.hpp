#pragma once

#include <cstddef>
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

/// What changed from one run to another.
struct Diff {
  std::vector<Difference> runs;              ///< what makes them incomparable (see different_runs)
  std::vector<Difference> builds;            ///< what one compares them for (see different_builds)
  std::vector<Change> verdicts;              ///< outcome and status; claims that only one run has
  std::vector<Change> counts;                ///< of cases
  std::vector<Change> tightness;             ///< largest lhs/rhs; how close the hill climb came
  std::vector<Change> comparisons;           ///< sharp bounds beside the printed ones
  std::vector<Change> guards;                ///< mutants and input classes
  std::size_t claims{}, unchanged_claims{};  ///< in all stages that both runs have
  std::size_t compared{}, unchanged_comparisons{};
};

/// Compares two reports, whether or not they are of the same run: who wants to refuse those that
/// are not asks check_comparable first. A stage that only one of them has is named in `runs` and
/// left out of everything else. What is measured on real input is not compared, and of a witness or
/// worst case its lhs/rhs alone.
Diff diff(const Report& before, const Report& after);

/// A diff as plain text of at most 100 columns, words longer than a line apart: first in what the
/// runs and builds differ, then each group that has a change, a line or two for each thing, then
/// one line on what is unchanged.
std::string diff_text(const Diff& diff);

}  // namespace attn::report
