#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/agreement.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// A pattern beside logits under one mask.
struct Compared {
  at::Tensor seen;  ///< [1 or head, query, key], booleans: which keys a query sees
  Agreement agreement;
};

/// What is near a pattern that is not softmax(l/T) of the logits beside it, but for rounding.
struct Contradiction {
  std::optional<double> fitting_temperature{};  ///< a T at which it is
  /// On logits that were rounded before their product, and on few rows that differ; a part of a
  /// sentence each, which names no layer.
  std::vector<std::string> remarks{};
};

/// Looks for it under the masks that the layer was compared under, one at least; its pattern lies
/// beside q and k, or beside scores.
Contradiction contradiction(LayerRows rows, const std::vector<Compared>& masks);

}  // namespace attn::gpt2
