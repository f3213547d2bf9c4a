#pragma once

#include <string_view>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// What was measured of some heads of one input, all by one plan.
struct HeadTable {
  /// The figures, whose spreads are the columns of the table: `by_head` has a number of each head,
  /// and no more of a spread is there. Counts are those of all heads, the largest numbers the
  /// largest of them.
  report::Figures columns;
  std::vector<HeadMeasures> heads;  ///< what was measured of each head, but for its figures

  void add(HeadMeasures head);
};

/// What the heads, one at least, show together. Every spread is over the heads,
/// one number a head, and empty where a head has none; but of random sets,
/// directions and gradients over the heads that have one. Points with
/// `without_first` are of heads that cannot read the first token.
report::Figures figures(const HeadTable& table);

/// Whether this is the model that the paper speaks of: GPT-2 124M by its shape
/// (12 layers of 12 heads of width 64, or 0 where that is not known) and its
/// name, "gpt2" but for a folder before it and a remark in brackets after it.
bool is_papers_model(std::string_view name, std::int64_t layers, std::int64_t heads,
                     std::int64_t head_width);

/// What was measured beside the three statements of the paper's abstract and
/// figures about GPT-2, each with a 95 % interval over the heads (Student's t:
/// how far the mean would move with other heads of the same kind); the words
/// are put to it by report::put_into_words. A statement that this input cannot
/// speak to, for want of lengths, of large N or of a second head, is left out.
/// `lengths`: of the heads' plan.
///
/// `judged`: whether the statements get a verdict, the distance's only where
/// two lengths reach into the paper's range. One agrees where the whole
/// interval lies in what is stated, and does not where it lies wholly outside.
/// The gradient's says something of every row: it does not agree where one row
/// is above it.
std::vector<report::PaperStatement> abstract_statements(const std::vector<HeadMeasures>& heads,
                                                        const std::vector<std::int64_t>& lengths,
                                                        bool judged);

}  // namespace attn::gpt2
