#include <ATen/TensorOperators.h>

#include <algorithm>

#include "gpt2_check/activations/first_rows.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// The first rows of the pattern of a head of a layer [query, key], without NaN.
at::Tensor pattern_of(const File& file, const LayerShape& layer, std::int64_t head) {
  const std::int64_t queries = std::min(layer.queries, kShowingQueries);
  const at::Tensor of_head = file.read_part(
      names::pattern(layer.layer), head * layer.queries * layer.keys, {queries, layer.keys});
  return of_head.to(at::kDouble).nan_to_num(0);
}

/// Whether the weights `now` may be the mean of `count` others and of so many whose mean is `last`,
/// and the others are not what these are.
bool is_next_mean(const at::Tensor& last, const at::Tensor& now, double count, double rounded) {
  constexpr double kSteps = 4, kUneven = 1;  // weights that are nearly alike have less
  const at::Tensor added = now * (count + 1) - last * count;
  const at::Tensor error = (now * (count + 1) + last * count) * (kSteps * rounded);
  if (added.lt(-error).any().item<bool>()) return false;
  const double uneven = (added - last).masked_fill(last.le(0), 0).abs().sum().item<double>();
  return uneven > 0 && uneven >= kUneven * added.masked_fill(last.le(0), 0).sum().item<double>();
}

}  // namespace

std::optional<std::string> remark_on_layer_means(const File& file,
                                                 const std::vector<LayerShape>& layers) {
  constexpr std::int64_t kFewRows = 8;
  if (layers.size() < 2) return std::nullopt;
  const LayerShape& first = layers.front();
  const auto is_like_first = [&](const LayerShape& layer) {
    return layer.heads == first.heads && layer.queries == first.queries &&
           layer.keys == first.keys && file.contains(names::pattern(layer.layer));
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool is_next = layers[i].layer == static_cast<std::int64_t>(i);
    if (!is_next || !is_like_first(layers[i]) || first.queries < kFewRows) return std::nullopt;
  }
  const double rounded = rounding_of(file.entry(names::pattern(0)).dtype).relative;
  for (std::size_t i = 1; i < layers.size(); ++i) {
    for (std::int64_t head = 0; head < first.heads; ++head) {
      const bool is_mean =
          is_next_mean(pattern_of(file, layers[i - 1], head), pattern_of(file, layers[i], head),
                       static_cast<double>(i), rounded);
      if (!is_mean) return std::nullopt;
    }
  }
  return kLayerMeans;
}

}  // namespace attn::gpt2
