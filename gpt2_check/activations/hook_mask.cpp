#include "gpt2_check/activations/hook_mask.hpp"

#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/said.hpp"
#include "gpt2_check/activations/source.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::place;

/// Whether numbers of a layer leave no doubt that queries see these keys, [1 or head, query, key]:
/// weights that are 0 of all others, or scores that are lower of all others in every row.
bool are_of(const safetensors::File& file, const LayerShape& layer, const at::Tensor& seen) {
  const bool are_weights = file.contains(names::pattern(layer.layer));
  const std::string name = (are_weights ? names::pattern : names::scores)(layer.layer);
  if (!file.contains(name)) return false;
  const std::int64_t size = layer.queries * layer.keys;
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor of_head = square_of(seen, head), others = of_head.logical_not();
    const at::Tensor numbers =
        file.read_part(name, head * size, {layer.queries, layer.keys}).to(at::kDouble);
    const at::Tensor least = numbers.masked_fill(others, kInfinity).amin(-1);
    const at::Tensor most = numbers.masked_fill(of_head, -kInfinity).amax(-1);
    const at::Tensor is_right = are_weights ? most.le(kUnseenWeight) : most.lt(least);
    if (!is_right.all().item<bool>()) return false;
  }
  return true;
}

/// Refuses a mask in which no query sees its own key and the first one sees a later one, or asks
/// about it, where no numbers show that it is right.
void expect_not_opposite(const safetensors::File& file, const LayerShape& layer,
                         const at::Tensor& seen) {
  const bool sees_own = seen.diagonal(0, 1, 2).any().item<bool>();
  const bool sees_later = seen.select(1, 0).any().item<bool>();
  // Outputs are compared under this mask.
  const bool has_outputs = layer.has_values() && file.contains(names::z(layer.layer));
  if (sees_own || !sees_later || has_outputs || are_of(file, layer, seen)) return;
  const bool is_opposite = are_of(file, layer, seen.logical_not());
  file.complaint().refuse(
      BadInput({.kind = inconsistent,
                .where = place(names::mask(layer.layer)),
                .expected = "1 where a query sees a key",
                .found = is_opposite ? "0 there, and 1 of the keys that are hidden"
                                     : "no query that sees its own: is it 1 where a key is hidden?",
                .advice = is_opposite ? "record its opposite"
                                      : "if so, record its opposite; else a pattern beside it, or "
                                        "scores that are lowest of the keys it hides, or outputs "
                                        "(hook_z) show that it is right"}));
}

}  // namespace

void expect_upright(const safetensors::File& file, const LayerShape& layer,
                    const at::Tensor& seen) {
  expect_not_opposite(file, layer, seen);
  const std::string advice =
      "is it [key, query]? transpose it; turn round what is read from the end";
  file.complaint().unless(
      seen.tril(-1).any().item<bool>() || !seen.triu(1).any().item<bool>(), inconsistent,
      place(names::mask(layer.layer)), "[query, key], 1 where a query sees a key",
      "no query that sees a key before its own, and some that see later ones", advice);
  // Of one document before others, such as of a prefix.
  const at::Tensor hidden = seen.logical_not();
  const bool hides_before = hidden.slice(2, 1).tril(-2).any().item<bool>();
  file.complaint().unless(!hides_before || hidden.triu(0).any().item<bool>(), inconsistent,
                          place(names::mask(layer.layer)),
                          "[query, key], 1 where a query sees a key",
                          "queries that see all later keys, and not all before their own", advice);
}

void expect_same_mask(const safetensors::File& file, const LayerShape& layer,
                      const at::Tensor& seen, const Mask& mask, const at::Tensor& padding) {
  at::Tensor others = seen.logical_not().ne(hidden_keys(mask, layer.queries, layer.keys)).any(0);
  if (padding.defined()) {
    others = others.masked_fill(padding.unsqueeze(0).logical_or(padding.unsqueeze(1)), false);
  }
  if (!others.any().item<bool>()) return;
  const auto first = others.to(at::kByte).flatten().argmax().item<std::int64_t>();
  file.complaint().refuse(
      BadInput({.kind = inconsistent,
                .where = place(names::mask(layer.layer)),
                .expected = fmt::format("the keys that metadata 'mask' says, {}", word_of(mask)),
                .found = fmt::format("others, first of query {} at key {}", first / layer.keys,
                                     first % layer.keys),
                .advice = "leave 'mask' out, or say recorded, where the tensor is right"}));
}

}  // namespace attn::gpt2
