#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"

namespace attn::gpt2 {

/// The level of the Kolmogorov-Smirnov test of experiment 3.
inline constexpr double kCriticalLevel = 0.01;

/// report.json, `gpt2.figures`: what all heads show together; `heads` is not empty. Every summary
/// is over the heads, one number a head.
///
/// distance_by_length, distance_by_n: D, both readings of E, Theorem 1's bound and its sharp form,
/// for one N against L and at the longest length against N. critical_n: experiment 3.
/// separability: experiment 4 at the longest length, and means over all rows. gradient: experiment
/// 5. sink: the share of the first token. normalizers: the normalisers on the same logits. Points
/// with `without_first` are of heads that cannot read the first token.
nlohmann::json figures(const std::vector<HeadMeasures>& heads);

/// report.json, `gpt2.heads`: one object a head. `claims`: its counts for every claim, by head.
nlohmann::json head_records(const std::vector<HeadMeasures>& heads,
                            const std::vector<nlohmann::json>& claims);

}  // namespace attn::gpt2
