#pragma once

#include <optional>

#include "gpt2_check/activations/evidence.hpp"

namespace attn::gpt2 {

/// How the scores were normalised, and in which groups: see Evidence::Normalised. The scores
/// that are seen are finite. `is_causal`: whether no key after a query's own is seen, though
/// nothing hides these.
std::optional<Evidence::Normalised> normalised(const LayerNumbers& scores, bool is_causal);

}  // namespace attn::gpt2
