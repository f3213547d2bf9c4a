#pragma once

#include <vector>

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

inline std::vector<Step> separation_steps(const CaseContext& problem) {
  using S = Interval;
  const RetrievalCounts counts = retrieval_counts<S>(problem);
  const auto enclosed = [](const CountBounds& count) {
    return of_count<S>(count, [](std::size_t n) { return Rational(n); });
  };
  return {{"GInv", enclosed(counts.inversions)},
          {"#{j not in I : D_j <= max_{i in I} D_i}", enclosed(counts.intruders)},
          {"#{i in I : D_i >= min_{j not in I} D_j}", enclosed(counts.missed)}};
}

}  // namespace attn::claims
