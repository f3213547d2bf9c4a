#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpt2_check/heads/kept_rows.hpp"
#include "gpt2_check/rows/kernels.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/report.hpp"
#include "reports/windows/quantiles.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn::gpt2 {

/// How the bound of a claim compares with that of the printed one which it sharpens, on the same
/// cases of rows of attention.
class BoundPair {
 public:
  BoundPair(const Claim& sharp, const Claim& printed);

  /// Adds one case that both were decided on; one without a ratio lhs/rhs of each is not counted.
  /// Throws std::logic_error where the bounds contradict each other (see relation).
  void add(const Decision& sharp, const Decision& printed);

  /// Joins the cases of the same pair on other heads.
  void merge(const BoundPair& other);

  /// What was compared; empty without a case.
  [[nodiscard]] std::optional<report::WindowComparison> record() const;

 private:
  report::WindowComparison record_;  ///< the counts so far
  report::Quantiles sharp_ratios_, printed_ratios_;
};

/// The claims that every row is checked against, in the catalogue's order: those of rows of
/// attention, but the ones on a finite step, which LargestSteps decides.
std::vector<const Claim*> row_claims();

/// Decides claims on the rows of one head: by the claim's kernel first, by the ladder what stays
/// open.
///
/// A claim without a kernel is decided by decide() on the exact row. That costs a hundred times as
/// much, so only the rows at the positions 2^n - 1 of at most 64 tokens are taken; the record's
/// `cases` says how many. On those rows a claim whose kernel has no sides is decided by decide()
/// too; of its other rows lhs/rhs is not known, and the sets that are not certain are left out.
/// Claims on an expectation are decided on the last row of some lengths,
/// whether they have a kernel or not.
class HeadCheck {
 public:
  /// `head` must outlive the check, but not its tallies, which keep the rows of their cases and
  /// make these exact only when the record is written. `claims`: as row_claims() has them; they
  /// must outlive both. `lengths`: of the rows for claims on an expectation.
  HeadCheck(const Head& head, report::Stage stage, std::span<const Claim* const> claims,
            std::vector<std::int64_t> lengths);

  /// Decides every claim on one row at one temperature, and on every set of it.
  void check(const RowSelections& row, double temperature);

  /// The tallies, one for each claim, in the order given.
  [[nodiscard]] std::vector<report::Tally> tallies() const;

  /// The comparisons, one for each claim that sharpens another of them, in the order given.
  [[nodiscard]] std::vector<BoundPair> pairs() const;

 private:
  struct ClaimCheck {
    const Claim* claim;
    const RowKernel* kernel;  ///< null where there is none
    report::Tally tally;
    std::optional<Decision> latest{};  ///< what was decided on the case at hand
    /// How its bound relates to that of another checked claim, which it sharpens; nothing for
    /// others.
    std::optional<BoundPair> pair{};
    std::size_t printed{};  ///< the place of that other claim among the checks
  };
  void check_case(const InputKind& kind, const RowTerms& terms, const RowCase& at,
                  const ExactRow& row);

  /// A row, and the next one, which some cases read.
  const KeptRows& kept(Eigen::Index row);

  const Head& head_;
  RowKeeper keeper_;
  std::pair<Eigen::Index, KeptRows> latest_;  ///< that were kept; of no row: -1
  HeadTerms terms_;
  std::vector<ClaimCheck> checks_;
  std::map<InputKind, std::vector<std::size_t>> of_kind_;  ///< the places of their checks
};

}  // namespace attn::gpt2
