#pragma once

#include <optional>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"

namespace attn::gpt2 {

/// What stands in the place of scores in every head, or in one: see Evidence::CommonPlaces. The
/// scores that are seen are finite.
std::optional<Evidence::CommonPlaces> common_score(const LayerNumbers& layer,
                                                   const LevelRows& level);

}  // namespace attn::gpt2
