#pragma once

#include <string_view>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// Whether this is the model that the paper speaks of: GPT-2 124M by its shape (12 layers of 12
/// heads of width 64, or 0 where that is not known) and its name, "gpt2" but for a folder before it
/// and a remark in brackets after it.
bool is_papers_model(std::string_view name, std::int64_t layers, std::int64_t heads,
                     std::int64_t head_width);

/// What was measured beside the three statements of the paper's abstract and figures about GPT-2,
/// each with a 95 % interval over the heads (Student's t: how far the mean would move with other
/// heads of the same kind); the words are put to it by report::put_into_words. A statement that
/// this input cannot speak to, for want of lengths, of large N or of a second head, is left out.
///
/// `judged`: whether the statements get a verdict, the distance's only where two lengths reach into
/// the paper's range. One agrees where the whole interval lies in what
/// is stated, and does not where it lies wholly outside. The gradient's says something of every
/// row: it does not agree where one row is above it.
std::vector<report::PaperStatement> abstract_statements(const std::vector<HeadMeasures>& heads,
                                                        bool judged);

/// The level of the Kolmogorov-Smirnov test of experiment 3.
inline constexpr double kCriticalLevel = 0.01;

/// What all heads show together; `heads` is not empty. Every spread is over the heads, one number a
/// head. Points with `without_first` are of heads that cannot read the first token.
report::Figures figures(const std::vector<HeadMeasures>& heads);

/// What one head shows, but for the claims on its rows.
report::HeadRecord head_record(const HeadMeasures& head);

}  // namespace attn::gpt2
