#include "theory/recheck/checks.hpp"

namespace attn::recheck {

const Checks& listed_checks() {
  static const Checks all = [] {
    Checks checks;
    for (const auto& of_statement :
         {lemma1_checks(), corollary1_checks(), theorem1_checks(), corollary2_checks(),
          theorem2_checks(), separability_checks(), lemma2_checks(), corollary3_checks(),
          normalizers_checks(), beyond_checks(), retrieval_checks()}) {
      checks.insert(checks.end(), of_statement.begin(), of_statement.end());
    }
    return checks;
  }();
  return all;
}

}  // namespace attn::recheck
