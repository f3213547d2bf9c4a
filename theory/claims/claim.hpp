#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "theory/attention/kind.hpp"
#include "theory/claims/verdict.hpp"

namespace attn {

class CaseContext;

// theory/claims/evaluation.hpp has these, and the numbers that they are made of, for who writes or
// evaluates a formula.
struct Evaluators;

/// Both sides of a witness as a person works them out: a decimal or a fraction, or the leading
/// digits of a number and "...".
struct WitnessSides {
  std::string_view lhs, rhs;
};

/// A wrong version of a proved claim: one change to its formula or to its hypotheses. The search
/// that guards the claim must find a violation, or it would not notice the mistake in the claim
/// either.
struct Mutant {
  std::string_view id;             ///< a word on the change; in a catalogue behind the claim's id
  std::string_view change;         ///< what was done
  const Evaluators* evaluators{};  ///< the evaluators of the wrong sides; null: the claim's own
  bool strict{false};              ///< the claim reads `<`: an attained bound is a violation too
  std::optional<InputKind>
      kind{};  ///< the inputs, where a hypothesis was removed; none: the claim's
  /// Real rows of attention must catch it too. They attain no bound, and come as flat or as peaked
  /// as they are: only what goes wrong on nearly every row is marked so, two mutants a claim.
  bool on_rows{false};
};

/// One row of the catalogue: an inequality `lhs(case) <= rhs(case)`.
struct Claim {
  std::string_view id;         ///< fixed; golden cases and command lines use it
  std::string_view title;      ///< a few words
  std::string_view statement;  ///< the inequality; formulas are marked, see base/marked_text.hpp
  /// The statement of arXiv 2508.17821 it belongs to; that of another work begins with "arXiv ".
  std::string_view paper;
  FormulaOrigin provenance{FormulaOrigin::derived};
  Status status{Status::proved};
  /// The proof in a few lines, or why the witness is one; `argument_text` adds the witness itself.
  std::string_view argument;
  InputKind kind;                ///< the kind of input that a case of the claim is
  const Evaluators* evaluators;  ///< both sides, at every level of the ladder
  /// Whether both sides are exactly equal: asked where their enclosures overlap, before exact
  /// arithmetic is, which takes longer; false where that is not known. Null where there is no test.
  bool (*attained)(const CaseContext&){nullptr};
  /// Names the hypothesis of the claim that the case does not meet, decided exactly; empty where
  /// all are met. Throws BeyondExact where that is not known. Null where the kind says it all.
  std::string_view (*unmet)(const CaseContext&){nullptr};
  /// A case as JSON: the witness against a refuted claim, which a person can check, or one that
  /// attains a proved bound; empty where no case does.
  std::string_view example{};
  std::string_view sharpens{};  ///< id of the printed claim beside which this one is to be read
  WitnessSides witness{};       ///< the sides of `example`, of a refuted claim
  /// What the paper says in words, where the claim is one of its sentences; else empty.
  std::string_view sentence{};
  std::string_view instead{};     ///< beside a sentence: what is true, in plain words and formulas
  std::vector<Mutant> mutants{};  ///< two or more of a proved claim, none of a refuted one
};

/// The claim's argument in full, with its formulas marked: the proof, or why the printed inequality
/// fails and the witness, printed from the claim's example, with both sides.
std::string argument_text(const Claim& claim);

/// Throws BadInput, naming the field, unless `input` is a case of the claim's kind and each of its
/// fields lies in its valid range.
void validate(const Claim& claim, const Case& input);

/// Reads a valid case of the claim. Throws BadInput, as `case_from_json` and `validate` do.
Case read_case(const Claim& claim, const nlohmann::json& json);

}  // namespace attn
