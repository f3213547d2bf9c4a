#pragma once

#include "theory/attention/retrieval_counts.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/interval.hpp"

namespace attn::claims {

/// The counts to the last digits of the ladder.
inline RetrievalCounts closest_counts(const CaseContext& problem) {
  const WidestExponents widest;
  const WorkingDigits working(kCapDigits);
  return retrieval_counts<Interval>(problem);
}

}  // namespace attn::claims
