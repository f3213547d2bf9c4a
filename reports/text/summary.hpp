#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// The records of one claim, in the order of the stages; never empty.
struct ClaimView {
  std::vector<const ClaimRecord*> records;

  [[nodiscard]] const ClaimRecord& any() const { return *records.front(); }
  [[nodiscard]] bool is_proved() const { return any().status == Status::proved; }
  [[nodiscard]] bool is_rebuilt() const {
    return any().provenance == attn::FormulaOrigin::reconstructed;
  }
  /// The outcome where it is worst: unexpected, missing, undecided, not covered, as expected.
  [[nodiscard]] Outcome worst_outcome() const;
};

/// The records of a report by claim, in the report's order. Valid as long as `report`, in which the
/// records of a claim stand together (see `complete`).
std::vector<ClaimView> by_claim(const Report& report);

/// The claims about one statement of the paper, in the report's order; never empty.
struct StatementView {
  std::string name;  ///< "Theorem 1"
  std::vector<ClaimView> claims;
};

/// The claims of a report by the statement of the paper that they are about, in the order in which
/// the report names the statements. Valid as long as `report`.
std::vector<StatementView> by_statement(const Report& report);

/// "Search", "GPT-2 attention", "Recorded activations".
std::string_view stage_title(Stage stage);

/// "holds" for a proved claim, "false as written" for a refuted one.
std::string_view status_words(Status status);

/// The answer in short: how many claims hold and how many are false as written, and how many of
/// those that the paper states itself, or how many did not come out as they should, or how many are
/// not settled or were not checked; how many mutants were caught; and whether no attention was
/// checked.
std::string headline(const Report& report);

/// "1 claim", "2 claims".
std::string claims(std::size_t count);

/// One line that a person can check by hand: "$l = (0, 0)$, $T = 1$: left
/// side $0.5$, right side $0.25$", with its formulas marked.
/// A case too long for a line is described by its size.
std::string witness_line(const CaseRecord& record);

/// "layer 3", "layers 0, 1, 2"; the first of many.
std::string layers_in_words(const std::vector<std::uint64_t>& layers);

/// What is to be known of the recordings of a report before their numbers are read, one line each.
std::vector<std::string> notes_on_recordings(const Report& report);

/// What came out about one statement of the paper, for those who read nothing else.
struct PlainVerdict {
  std::string statement{};  ///< "Theorem 1"
  std::string verdict{};    ///< kHolds, kHoldsInPart, kFalse, kCompared or kNotSettled
  std::string gist{};       ///< a few words, for a line of the console
  std::string text{};       ///< a few sentences, with marked formulas
  bool is_rebuilt{};        ///< some of its formulas are reconstructed
};

// By the claims that the paper makes; kCompared where it makes none there.
inline constexpr std::string_view kHolds = "holds";
inline constexpr std::string_view kHoldsInPart = "holds in part";
inline constexpr std::string_view kFalse = "false as written";
inline constexpr std::string_view kCompared = "bounds of our own";
inline constexpr std::string_view kNotSettled = "not settled";

/// The statements that the report has claims about, in the order of the paper. What the proofs and
/// counterexamples say is said only where this run bears it out: with any claim of a statement not
/// as expected its verdict is kNotSettled, and its text names those claims.
std::vector<PlainVerdict> plain_verdicts(const Report& report);

}  // namespace attn::report
