#include "gpt2_check/activations/hook_mask.hpp"

#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/said.hpp"
#include "gpt2_check/activations/source.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::place;

}  // namespace

void expect_upright(const safetensors::File& file, const LayerShape& layer,
                    const at::Tensor& seen) {
  const bool sees_own = seen.diagonal(0, 1, 2).any().item<bool>();
  const bool sees_later = seen.select(1, 0).any().item<bool>();
  file.complaint().unless(sees_own || !sees_later, inconsistent, place(names::mask(layer.layer)),
                          "1 where a query sees a key", "no query that sees its own",
                          "is it 1 where a key is hidden? record its opposite");
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
