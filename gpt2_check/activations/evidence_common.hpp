#pragma once

#include <optional>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"

namespace attn::gpt2 {

/// What stands in the place of scores in every head, or in one: see Evidence::CommonPlaces. The
/// scores that are seen are finite.
std::optional<Evidence::CommonPlaces> common_score(const LayerNumbers& layer,
                                                   const LevelRows& level);

/// The places of the least weight above 0 of a layer, if they are the same of every head: see
/// Evidence::CommonPlaces. The weights that are seen are finite and at least 0.
std::optional<Evidence::CommonPlaces> common_weight(double least, const LayerNumbers& layer,
                                                    const LevelRows& level);

/// The axes of a causal mask that are taken for [head, query, key]: see Evidence::CausalAs.
Evidence::CausalAs causal_as(const LayerNumbers& layer);

}  // namespace attn::gpt2
