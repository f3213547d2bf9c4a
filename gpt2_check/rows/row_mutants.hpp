#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpt2_check/experiments/gradient.hpp"
#include "gpt2_check/heads/kept_rows.hpp"
#include "gpt2_check/rows/row.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/claim.hpp"

namespace attn::gpt2 {

/// One mutant on its way through cases.
struct MutantTrial {
  explicit MutantTrial(const Mutant& mutant);

  /// Whether the mutant is neither caught nor out of cases.
  [[nodiscard]] bool open() const;

  /// Decides one more case of an open trial; one outside the claim's hypotheses does not count, nor
  /// one whose left side is 0, below any bound, nor one on which the mutant is the claim itself.
  /// `where`: its place.
  void attempt(const CaseContext& context, const std::string& where);

  const Claim* original;
  Claim mutated;
  report::MutantRecord record;  ///< without the command that runs it again
};

/// The mutants that are meant for rows of attention, searched on rows of the input itself: whether
/// these rows would show a mistake in a claim.
///
/// The first rows of each head, in the order of heads, whichever rows are checked beside that; with
/// every number of selected tokens, the N largest weights as well as the first N and the last N
/// tokens. Where every query sees all tokens, or many, so that no row is small, each is cut to its
/// first few. Decided by decide() on the exact row. A row of equal logits, which attains every
/// bound, is passed over.
class RowMutants {
 public:
  RowMutants() = default;

  /// `claims`: those whose mutants are searched.
  explicit RowMutants(const std::vector<const Claim*>& claims);

  /// The first rows of a head of which no others are searched, and what the last of them reads of
  /// the next.
  static KeptRows first_rows(const RowKeeper& keeper);

  /// Searches the rows of one more head at the temperature T. Its `first_rows` do.
  void add(const Head& head, double temperature);

  /// The records of one claim's mutants.
  [[nodiscard]] std::vector<report::MutantRecord> records(std::string_view claim_id) const;

 private:
  void try_row(const Head& head, const Row& row);

  std::vector<MutantTrial> trials_;
};

/// The row of all heads in which a finite step of the logits moves the weights furthest, for each
/// temperature and step length: raised is the largest logit, lowered the second.
class LargestSteps {
 public:
  /// Rows of a head, by number.
  using Rows = std::map<Eigen::Index, KeptRows>;

  /// The rows of the largest steps of a head.
  static Rows rows_of(const RowKeeper& keeper, const std::vector<TemperatureGradients>& gradients);

  /// Takes the largest steps of one more head, and `rows_of` it. Of two equal ones the earlier
  /// stays.
  void add(const Rows& rows, const std::vector<TemperatureGradients>& gradients);

  /// The catalogue's claims on a finite step, decided on those rows, with their mutants.
  [[nodiscard]] std::vector<report::ClaimRecord> records(report::Stage stage) const;

 private:
  struct Place {
    double quotient{};
    Eigen::Index row{};
    KeptRows kept;
  };
  [[nodiscard]] report::ClaimRecord record_of(const Claim& claim, report::Stage stage) const;

  std::map<std::pair<double, std::size_t>, Place> places_;  ///< by T and index of kStepLengths
};

}  // namespace attn::gpt2
