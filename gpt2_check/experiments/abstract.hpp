#pragma once

#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// What was measured beside the three statements of the paper's abstract and figures about GPT-2,
/// each with a 95 % interval over the heads (Student's t: how far the mean would move with other
/// heads of the same kind); the words are put to it by report::put_into_words. A statement that
/// this input cannot speak to, for want of lengths, of large N or of a second head, is left out.
std::vector<report::AbstractEntry> abstract_statements(const std::vector<HeadMeasures>& heads);

}  // namespace attn::gpt2
