#pragma once

#include <string_view>
#include <vector>

#include "theory/attention/case.hpp"
#include "theory/attention/kind.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/verdict.hpp"

namespace attn {

/// Where the formula of a claim comes from.
enum class Provenance {
  quoted,         ///< seen in print
  reconstructed,  ///< rebuilt from the paper's prose, proof sketch and figures
  derived,        ///< stated by this project, beside a statement of the paper
};

std::string_view to_string(Provenance provenance);

/// One row of the catalogue: an inequality `lhs(case) <= rhs(case)`.
struct Claim {
  std::string_view id;         ///< fixed; golden cases and command lines use it
  std::string_view title;      ///< a few words
  std::string_view statement;  ///< the inequality, in plain text
  std::string_view paper;      ///< the statement of arXiv 2508.17821 it belongs to
  Provenance provenance;
  Status status;
  std::string_view argument;  ///< the proof in a few lines, or the witness a person can check
  Kind kind;                  ///< of its cases
  Evaluators evaluators;      ///< both sides, at every level of the ladder
  /// Names the hypothesis of the claim that the case does not meet, decided exactly; empty where
  /// all are met. Null where the kind says it all.
  std::string_view (*unmet)(const Problem&){nullptr};
  /// What both sides are made of, for a reader who rechecks them by hand.
  std::vector<Step> (*steps)(const Problem&){nullptr};
  /// A case as JSON: the smallest witness against a refuted claim, or one that attains a proved
  /// bound; empty where no case does.
  std::string_view example{};
  std::string_view sharpens{};  ///< id of the printed claim beside which this one is to be read
};

/// Throws BadInput, naming the field, unless `input` has the fields of the claim's kind, each in
/// its valid range, and no other.
void validate(const Claim& claim, const Case& input);

}  // namespace attn
