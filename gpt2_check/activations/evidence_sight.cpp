#include "gpt2_check/activations/evidence_sight.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>

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

bool are_last_keys(const LayerNumbers& layer) {
  constexpr std::int64_t kFew = 3;
  if (layer.queries < kFew || layer.queries > layer.keys) return false;
  const at::Tensor first =  // of the last keys that are as many as those up to a query's own
      (layer.queries - 1 - at::arange(layer.queries)).unsqueeze(1);
  const at::Tensor is_before = at::arange(layer.keys).lt(first);
  std::int64_t edges = 0;  // rows whose first key is seen
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor is_blank =
        layer.marked(head).logical_or(layer.said_of(head)).logical_or(layer.square(head).eq(0));
    if (is_before.logical_and(is_blank.logical_not()).any().item<bool>()) return false;
    edges += is_blank.gather(1, first).logical_not().sum().item<std::int64_t>();
  }
  return 2 * edges > layer.heads * layer.queries;
}

}  // namespace attn::gpt2
