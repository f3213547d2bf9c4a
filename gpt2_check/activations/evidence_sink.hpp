#pragma once

#include <optional>

#include "gpt2_check/activations/evidence.hpp"

namespace attn::gpt2 {

/// The first score of the last key or the first one, where that is as of a learned sink: see
/// Evidence::sink_column.
std::optional<Sighting> sink_score(const LayerNumbers& scores);

/// The last key's first weight, where its weights are as of a learned sink: see
/// Evidence::sink_column.
std::optional<Sighting> sink_weight(const LayerNumbers& weights);

}  // namespace attn::gpt2
