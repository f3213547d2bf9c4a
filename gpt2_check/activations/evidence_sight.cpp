#include "gpt2_check/activations/evidence_sight.hpp"

#include <ATen/TensorOperators.h>

#include "gpt2_check/activations/visible_keys.hpp"

namespace attn::gpt2 {

std::optional<Sighting> hidden_in_sight(const LayerNumbers& scores) {
  const bool is_square = scores.queries == scores.keys;
  const at::Tensor shown = scores.said.any(0).logical_not();
  at::Tensor hidden = shown;  // in every head
  for (std::int64_t head = 0; head < scores.heads; ++head) {
    hidden = hidden.logical_and(scores.marked(head));
    if (!hidden.any().item<bool>()) return std::nullopt;
  }
  const at::Tensor seen = shown.logical_and(hidden.logical_not());
  const at::Tensor of_others = is_square ? seen_of_others(seen) : seen;
  const at::Tensor is_key = of_others.any(0), sees = of_others.any(1);
  const at::Tensor is_query = is_square ? sees.logical_or(is_key) : sees;
  const at::Tensor places = hidden.logical_and(is_key).logical_and(is_query.unsqueeze(1));
  if (!places.any().item<bool>()) return std::nullopt;
  const auto first = places.to(at::kByte).flatten().argmax().item<std::int64_t>();
  const std::int64_t query = first / scores.keys, key = first % scores.keys;
  return Sighting{scores.square(0)[query][key].item<double>(), {0, query, key}};
}

}  // namespace attn::gpt2
