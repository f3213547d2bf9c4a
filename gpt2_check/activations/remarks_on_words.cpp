#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// On `tokens` that are not as many as the positions of any layer.
std::optional<std::string> on_tokens(const File& file, const std::vector<LayerShape>& layers) {
  if (!file.contains(names::kTokens) || file.entry(names::kTokens).shape.empty()) return {};
  const std::int64_t tokens = file.entry(names::kTokens).shape.back();
  const auto has_as_many = [&](const LayerShape& layer) {
    return layer.queries == tokens || layer.keys == tokens;
  };
  if (std::ranges::any_of(layers, has_as_many)) return {};
  return fmt::format(
      "tensor 'tokens' has {}, and layer {} {} queries and {} keys: are they of "
      "another text?",
      tokens, layers.front().layer, layers.front().queries, layers.front().keys);
}

/// On layers of other lengths than the first, where no layer joins them, as cross attention does,
/// nor a recorder named its modules.
std::optional<std::string> on_lengths(const File& file, const std::vector<LayerShape>& layers) {
  const auto is_cross = [](const LayerShape& layer) { return layer.queries != layer.keys; };
  if (std::ranges::any_of(layers, is_cross) || file.metadata("modules")) return {};
  const LayerShape& first = layers.front();
  const auto other = std::ranges::find_if(
      layers, [&](const LayerShape& layer) { return layer.keys != first.keys; });
  if (other == layers.end()) return {};
  return fmt::format("layer {} has {} positions and layer {} {}: are they of two runs?",
                     first.layer, first.keys, other->layer, other->keys);
}

/// On scores of a layer that `hidden_below` hides in some heads and not in others.
std::optional<std::string> on_bound(const File& file, double bound, const LayerShape& layer) {
  const std::string name = names::scores(layer.layer);
  const std::int64_t size = layer.queries * layer.keys;
  at::Tensor heads = at::zeros({size}, at::kLong);  // by place: in how many it is hidden
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    heads += file.read_part(name, head * size, {size}).to(at::kDouble).le(bound);
  }
  const at::Tensor some = heads.gt(0).logical_and(heads.lt(layer.heads));
  if (!some.any().item<bool>()) return {};
  return fmt::format(
      "layer {}: the metadata `hidden_below`, {:.6g}, hide {} scores, {} of them of "
      "keys that other heads see",
      layer.layer, bound, heads.sum().item<std::int64_t>(),
      heads.masked_select(some).sum().item<std::int64_t>());
}

/// On a T said of a layer of weights alone that is 1 over the root of the width of its values.
std::optional<std::string> on_factor(const LayerShape& layer) {
  const double root = std::sqrt(static_cast<double>(layer.value_width));
  if (layer.has_queries() || layer.value_width < 2 || !layer.is_factor_of(root)) return {};
  return fmt::format(
      "layer {}: its T, {:.6g}, is 1 over the root of the width of its values: is it what q.k is "
      "multiplied by? Then say {:.6g}",
      layer.layer, layer.temperature, root);
}

}  // namespace

std::vector<std::string> remarks_on_words(const File& file, const Said& said,
                                          const std::vector<LayerShape>& layers) {
  std::vector<std::string> remarks;
  const auto add = [&](std::optional<std::string> remark) {
    if (remark) remarks.push_back(std::move(*remark));
  };
  add(on_tokens(file, layers));
  add(on_lengths(file, layers));
  for (const LayerShape& layer : layers) {
    add(on_factor(layer));
    const bool is_bounded = said.below == Said::Scores::bounded;
    if (is_bounded && file.contains(names::scores(layer.layer))) {
      add(on_bound(file, said.bound, layer));
    }
  }
  return remarks;
}

}  // namespace attn::gpt2
