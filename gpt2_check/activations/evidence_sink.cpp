#include "gpt2_check/activations/evidence_sink.hpp"

#include <ATen/TensorOperators.h>

namespace attn::gpt2 {
namespace {

/// Whether there is one more key than queries, and enough of these to show anything.
bool has_one_more(const LayerNumbers& layer) {
  constexpr std::int64_t kFew = 3;
  return layer.keys == layer.queries + 1 && layer.queries >= kFew;
}

}  // namespace

std::optional<Sighting> sink_score(const LayerNumbers& layer) {
  if (!has_one_more(layer)) return std::nullopt;
  const std::int64_t last = layer.keys - 1;
  bool is_last = true, is_first = true;
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor square = layer.square(head);
    const at::Tensor is_seen = layer.said_of(head).logical_or(layer.marked(head)).logical_not();
    const auto is_level = [&](std::int64_t key) {
      const at::Tensor column = square.select(1, key);
      return is_seen.select(1, key).all().item<bool>() && column.eq(column[0]).all().item<bool>();
    };
    is_last = is_last && is_level(last);
    is_first = is_first && is_level(0);
  }
  if (is_last == is_first) return std::nullopt;
  const std::int64_t key = is_last ? last : 0;
  return Sighting{layer.square(0)[0][key].item<double>(), {0, 0, key}};
}

std::optional<Sighting> sink_weight(const LayerNumbers& layer) {
  if (!has_one_more(layer)) return std::nullopt;
  const std::int64_t last = layer.keys - 1;
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor square = layer.square(head);
    const bool is_sink = square.select(1, last).gt(0).all().item<bool>() &&
                         square.slice(1, 0, last).triu(1).eq(0).all().item<bool>();
    if (!is_sink) return std::nullopt;
  }
  return Sighting{layer.square(0)[0][last].item<double>(), {0, 0, last}};
}

}  // namespace attn::gpt2
