#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"

namespace attn::gpt2 {

/// report.json, `gpt2.abstract`: what the paper's abstract and figures say of GPT-2 in three
/// sentences, each beside a measurement with a 95 % interval over the heads (Student's t: how far
/// the mean would move with other heads of the same kind). A statement that this input cannot
/// speak to, for want of lengths, of large N or of a second head, is left out.
nlohmann::json abstract_statements(const std::vector<HeadMeasures>& heads);

}  // namespace attn::gpt2
