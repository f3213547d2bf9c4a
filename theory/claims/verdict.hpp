#pragma once

#include <string_view>

namespace attn {

/// What mathematics says of a claim: there is a proof, or there is a witness against it.
enum class Status { proved, refuted };

/// Where the formula of a claim comes from.
enum class FormulaOrigin {
  quoted,         ///< seen in print
  reconstructed,  ///< rebuilt from the paper's prose, proof sketch and figures
  derived,        ///< stated by this project, beside a statement of the paper
};

/// What one case says of a claim `lhs <= rhs`. Never a bool: "not holds" has four meanings.
enum class Verdict {
  holds,      ///< certainly lhs < rhs; lhs <= rhs where an expectation is sampled
  equal,      ///< the bound is attained: exactly, or |lhs - rhs| < 1e-190 max(|lhs|, |rhs|)
  violated,   ///< certainly lhs > rhs
  undecided,  ///< the two sides still overlap at the precision cap
  assumption_not_met,  ///< the case is outside the claim's hypotheses
};

constexpr std::string_view to_string(Status status) {
  switch (status) {
    case Status::proved:
      return "proved";
    case Status::refuted:
      return "refuted";
  }
  return {};
}

constexpr std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::equal:
      return "equal";
    case Verdict::violated:
      return "violated";
    case Verdict::undecided:
      return "undecided";
    case Verdict::assumption_not_met:
      return "assumption not met";
  }
  return {};
}

constexpr std::string_view to_string(FormulaOrigin provenance) {
  switch (provenance) {
    case FormulaOrigin::quoted:
      return "quoted";
    case FormulaOrigin::reconstructed:
      return "reconstructed";
    case FormulaOrigin::derived:
      return "derived";
  }
  return {};
}

}  // namespace attn
