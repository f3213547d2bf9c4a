#pragma once

#include <cstddef>
#include <vector>

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"

namespace attn::properties {

/// L logits over T, each a dyadic number: |z| <= 50, or up to 350 for Scores::huge_gaps.
std::vector<Rational> draw_scaled_logits(Draw& draw, ScorePattern scores, std::size_t tokens);

/// L non-negative integers, not all zero, below 2^56 in sum; the weights are their shares.
/// With `positive`, none is zero.
std::vector<std::int64_t> draw_parts(Draw& draw, ScorePattern scores, std::size_t tokens,
                                     bool positive);

/// Weights that sum to exactly 1: each part over the sum of the parts.
std::vector<Rational> shares(const std::vector<std::int64_t>& parts);

}  // namespace attn::properties
