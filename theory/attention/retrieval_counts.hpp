#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "theory/attention/nearest_outside.hpp"

namespace attn {

/// How well the distances D_i = ||y_i - s||, y_i = a_i x_i, tell the selected tokens from the
/// others.
struct RetrievalCounts {
  CountBounds inversions;  ///< GInv = #{(i, j) : i in I, j in O, D_j <= D_i}
  CountBounds intruders;   ///< #{j in O : D_j <= max_{i in I} D_i}
  CountBounds missed;      ///< #{i in I : D_i >= min_{j in O} D_j}
};

/// GInv is the number of intruders, for certain: the bound of retrieval.precision is attained.
inline bool has_tight_precision(const RetrievalCounts& counts) {
  return counts.inversions.least == counts.inversions.most && counts.inversions == counts.intruders;
}

/// min(GInv, N) of the N selected tokens are missed, for certain: the bound of retrieval.recall is
/// attained.
inline bool has_tight_recall(const RetrievalCounts& counts, std::size_t selected) {
  const std::size_t most = std::min(counts.inversions.most, selected);
  return std::min(counts.inversions.least, selected) == most && counts.missed.least == most &&
         counts.missed.most == most;
}

/// N/(N + others).
template <class S>
S precision_of(const CountBounds& others, std::size_t selected) {
  return of_count<S>(others, [&](std::size_t n) { return Rational(selected, selected + n); });
}

/// max(0, 1 - missed/N).
template <class S>
S recall_of(const CountBounds& missed, std::size_t selected) {
  return of_count<S>(
      missed, [&](std::size_t n) { return Rational(selected - std::min(n, selected), selected); });
}

/// The counts by some of the pairs (i, j), those that `holds` accepts.
struct PairCounts {
  std::size_t inversions{0}, intruders{0}, missed{0};
};

template <class Holds>
PairCounts count_pairs(const CaseContext& context, Holds holds) {
  PairCounts counts;
  std::vector<bool> intrudes(context.tokens(), false);
  for (const std::size_t i : context.selected()) {
    bool is_missed = false;
    for (const std::size_t j : context.others()) {
      if (!holds(i, j)) continue;
      ++counts.inversions;
      is_missed = true;
      intrudes[j] = true;
    }
    counts.missed += is_missed ? 1 : 0;
  }
  counts.intruders = static_cast<std::size_t>(std::ranges::count(intrudes, true));
  return counts;
}

/// How the case's set is told from the other tokens; counted in rationals where the weights are.
template <class S>
RetrievalCounts retrieval_counts(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const std::vector<W> squares = offset_squares(context, a, x);
    const auto least = count_pairs(context, [&](std::size_t i, std::size_t j) {
      return certainly_at_most(squares[j], squares[i]) || same_contribution(context, i, j);
    });
    const auto most = count_pairs(context, [&](std::size_t i, std::size_t j) {
      return !certainly_less(squares[i], squares[j]);
    });
    return RetrievalCounts{.inversions = {least.inversions, most.inversions},
                           .intruders = {least.intruders, most.intruders},
                           .missed = {least.missed, most.missed}};
  });
}

/// The counts to the last digits of the ladder.
inline RetrievalCounts closest_counts(const CaseContext& context) {
  const WidestExponents widest;
  const WorkingDigits working(kCapDigits);
  return retrieval_counts<Interval>(context);
}

}  // namespace attn
