#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// Whether this is the model that the paper speaks of: GPT-2 124M by its shape
/// (12 layers of 12 heads of width 64, or 0 where that is not known) and its
/// name, "gpt2" but for a folder before it and a remark in brackets after it.
bool is_papers_model(std::string_view name, std::int64_t layers, std::int64_t heads,
                     std::int64_t head_width);

/// What was measured beside the paper's statements about trained models, one entry each, with a 95
/// % interval: of distances over heads and rows (two_way_interval), of the critical N by a
/// bootstrap over the heads, of the others over the heads (mean_interval). It says how far the
/// number would move with other heads and rows of the same kind, not with other models or texts.
/// The words are put to it by report::put_into_words. A statement that this input cannot speak to,
/// for want of lengths, of large N or of a second head, has no estimate and says why (`why_not`).
///
/// `lengths`: of the heads' settings; `figures`: of the same heads. `judged`: whether the paper
/// speaks of this model, and of its distances only where two lengths reach into the paper's range.
///
/// A statement agrees where the whole interval lies in what is stated, and does not where it lies
/// wholly outside. The gradient's says something of every row: it does not agree where one row is
/// above it.
std::vector<report::PaperStatement> paper_statements(const std::vector<HeadMeasures>& heads,
                                                     const std::vector<std::int64_t>& lengths,
                                                     const report::Figures& figures, bool judged);

/// Puts beside each estimate that is a mean over the heads its interval where heads that share keys
/// count as one: for two key heads at least, and a number of every head. `sharing`: heads of
/// queries that share a key head, which stand next to each other.
void put_over_key_heads(std::vector<report::PaperStatement>& statements, std::size_t sharing);

/// Puts what the estimates are means of into the records of the heads.
void put_by_head(const std::vector<report::PaperStatement>& statements,
                 std::vector<report::HeadRecord>& heads);

}  // namespace attn::gpt2
