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
  holds,               ///< certainly lhs < rhs; lhs <= rhs where an expectation is sampled
  equal,               ///< the bound is attained: certainly lhs = rhs
  violated,            ///< certainly lhs > rhs
  undecided,           ///< neither exact arithmetic nor 200 digits tell
  assumption_not_met,  ///< the case is outside the claim's hypotheses
};

/// What decided.
enum class By {
  filter,     ///< error-bounded double arithmetic
  attained,   ///< what the claim knows of its own equality
  digits50,   ///< intervals of 50 decimal digits
  exact,      ///< exact arithmetic
  digits100,  ///< intervals of 100 digits
  digits200,  ///< intervals of 200 digits
};

/// All that may decide, in the order in which they are asked.
inline constexpr By kEveryBy[] = {By::filter, By::attained,  By::digits50,
                                  By::exact,  By::digits100, By::digits200};

/// What is known of two sides that stayed undecided.
enum class Open {
  nothing,  ///< nothing is known
  order,    ///< the sides differ; which is larger is not known
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

constexpr std::string_view to_string(By by) {
  switch (by) {
    case By::filter:
      return "filter";
    case By::attained:
      return "attained";
    case By::digits50:
      return "50";
    case By::exact:
      return "exact";
    case By::digits100:
      return "100";
    case By::digits200:
      return "200";
  }
  return {};
}

constexpr std::string_view to_string(Open open) {
  switch (open) {
    case Open::nothing:
      return "nothing is known";
    case Open::order:
      return "the sides differ";
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
