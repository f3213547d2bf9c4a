#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::recheck {

class Input;
struct Sides;

/// How one claim is rechecked. Together the two read every field that a case of the claim may have.
struct Check {
  Sides (*sides)(const Input&);
  /// Names the assumption that the case does not meet, decided exactly; empty where all are met.
  /// Null where the claim has none.
  std::string (*unmet)(const Input&) = nullptr;
};

struct ClaimCheck {
  std::string_view id;  ///< of the claim
  Check check;
};

/// Second implementations of claims, each id once: where a recheck looks a claim up.
using Checks = std::vector<ClaimCheck>;

/// Those of the claims on each statement, in the order of theory/claims/list.cmake; beyond: those that
/// go beyond the paper's statements.
Checks lemma1_checks();
Checks corollary1_checks();
Checks theorem1_checks();
Checks corollary2_checks();
Checks theorem2_checks();
Checks separability_checks();
Checks lemma2_checks();
Checks corollary3_checks();
Checks normalizers_checks();
Checks beyond_checks();
Checks retrieval_checks();

/// All of them.
const Checks& listed_checks();

}  // namespace attn::recheck
