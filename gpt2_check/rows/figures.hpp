#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "gpt2_check/rows/head_check.hpp"

namespace attn::gpt2 {

/// report.json, `gpt2.figures`: what the heads show, summed up over heads.
///
/// distance_by_length: D and the bound of theorem1.fixed against L, at each length of `lengths`
/// that was measured, for one N. distance_by_n: the same against N at the longest length.
/// separability: N_s/N against N at the longest length, beside a random selection. gradient: T
/// ||J|| against T. critical_n is empty: this stage does not estimate it.
nlohmann::json figures(const std::vector<HeadResult>& heads,
                       const std::vector<std::int64_t>& lengths);

/// report.json, `gpt2.heads`: one object a head with its counts for every claim.
nlohmann::json head_records(const std::vector<HeadResult>& heads);

}  // namespace attn::gpt2
