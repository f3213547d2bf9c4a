#pragma once

#include <optional>

#include "gpt2_check/activations/evidence.hpp"

namespace attn::gpt2 {

/// The first key that words show and the scores of every head hide: see Evidence::hidden_in_sight.
/// Padding is a key that no other query sees, and its query, if that sees no other key.
std::optional<Sighting> hidden_in_sight(const LayerNumbers& scores);

/// Whether every query sees no keys but the last ones, as many as those up to its own would be, and
/// mostly all of these.
bool are_last_keys(const LayerNumbers& layer);

}  // namespace attn::gpt2
