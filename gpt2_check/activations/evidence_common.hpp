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

/// Whether every query of a head sees the keys up to the number of the head, and as many queries
/// as heads do: [query, head, key] of a causal mask, taken for [head, query, key].
bool is_query_first(const LayerNumbers& layer);

}  // namespace attn::gpt2
