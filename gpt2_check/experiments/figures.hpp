#pragma once

#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/columns.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// What was measured of some heads of one input, all by the same settings.
struct HeadTable {
  /// The points of the figures, without spreads. Counts are those of all heads, the largest numbers
  /// the largest of them.
  report::Figures columns;
  report::ByColumn<std::vector<double>> by_head{};  ///< a number of each head for each spread
  std::vector<HeadMeasures> heads;  ///< what was measured of each head, but for its figures

  void add(HeadMeasures head);
};

/// What the heads, one at least, show together. Every spread is over the heads,
/// one number a head, and empty where a head has none; but of random sets,
/// directions and gradients over the heads that have one. Points with
/// `without_first` are of heads that cannot read the first token.
report::Figures figures(const HeadTable& table);

}  // namespace attn::gpt2
