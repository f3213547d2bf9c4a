#include "gpt2_check/activations/shape.hpp"

#include <ATen/TensorOperators.h>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

LayerShape::Reach LayerShape::reach(std::int64_t row) const {
  return rows.empty() ? Reach{.most = row + 1 + tokens() - queries}
                      : rows[static_cast<std::size_t>(row)];
}

bool LayerShape::has_length(std::int64_t length) const {
  const std::int64_t row = row_of(length);
  return row >= 0 && row < queries && reach(row).is_whole;
}

void LayerShape::see(const Mask& mask, const at::Tensor& seen) {
  rows.clear();
  if (!seen.defined() && mask.is_causal()) return;
  const std::int64_t sink = tokens() - keys, shift = keys - queries;
  at::Tensor most, whole;
  if (seen.defined()) {
    most = std::get<0>(seen.sum(-1).max(0));
    whole = seen.ne(hidden_keys({.shift = shift}, queries, keys)).all(-1).all(0);
  }
  for (std::int64_t row = 0; row < queries; ++row) {
    if (seen.defined()) {
      rows.push_back(
          {.most = sink + most[row].item<std::int64_t>(), .is_whole = whole[row].item<bool>()});
      continue;
    }
    const std::int64_t count = mask.tokens(row, keys), own = row + shift;
    const bool ends_at_own = count > 0 && mask.position(row, count - 1) == own;
    rows.push_back({.most = sink + count, .is_whole = ends_at_own && count == own + 1});
  }
}

std::int64_t ActivationShape::heads() const {
  std::int64_t all = 0;
  for (const LayerShape& layer : layers) all += layer.heads;
  return all;
}

std::int64_t ActivationShape::queries() const {
  return std::ranges::max(layers, {}, &LayerShape::queries).queries;
}

std::int64_t ActivationShape::longest_row() const {
  std::int64_t most = 0;
  for (const LayerShape& layer : layers) {
    for (std::int64_t row = 0; row < layer.queries; ++row) {
      most = std::max(most, layer.reach(row).most);
    }
  }
  return most;
}

bool ActivationShape::has_length(std::int64_t length) const {
  return std::ranges::all_of(layers,
                             [&](const LayerShape& layer) { return layer.has_length(length); });
}

std::int64_t ActivationShape::longest_length() const {
  std::int64_t length = std::ranges::max(layers, {}, &LayerShape::tokens).tokens();
  while (length > 1 && !has_length(length)) --length;
  return length > 1 ? length : 0;
}

bool ActivationShape::sees_two(std::int64_t row) const {
  return any(
      [&](const LayerShape& layer) { return row < layer.queries && layer.reach(row).most > 1; });
}

}  // namespace attn::gpt2
