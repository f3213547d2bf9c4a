#include "gpt2_check/activations/wrong_sizes.hpp"

#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "gpt2_check/activations/asked.hpp"
#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/source.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::File;
using safetensors::place;

/// Whether the heads of keys or values divide those of queries among them.
void check_heads(const File& file, const Tensor& keys, std::int64_t heads) {
  file.complaint().unless(
      heads % keys.sizes[1] == 0, inconsistent, place(keys.name),
      fmt::format("as many heads as there are of queries, {}, or a divisor of that", heads),
      fmt::format("{}", keys.sizes[1]));
}

/// What to do where values are as many as queries, and not as keys.
std::string value_advice(const Tensor& v, std::int64_t queries, std::int64_t keys) {
  if (v.sizes[0] != queries) return "";
  return keys < queries
             ? "where keys were put together, as Linformer does, their values were too: record "
               "these as v, or leave hook_v out"
             : "a key that is added (add_zero_attn, bias_kv, memory keys, a prefix, a cache) has a "
               "value too: zeros, or its own; record v with it, or leave hook_v out";
}

/// Visits the weights of each head, [query, key], float64, where the square is a pattern.
template <class Visit>
void for_each_head_of_pattern(const File& file, const Recorded& of, const Visit& visit) {
  if (!of.square || !of.square->name.ends_with(names::pattern.name)) return;
  const Sizes& sizes = of.square->sizes;
  for (std::int64_t head = 0; head < sizes[0]; ++head) {
    visit(file.read_part(of.square->name, head * sizes[1] * sizes[2], {sizes[1], sizes[2]})
              .to(at::kDouble));
  }
}

/// Whether all rows of a pattern over its last axis sum to 1, those of zeros aside.
bool are_rows_one(const File& file, const Recorded& of) {
  bool has_rows = false, are_one = true;
  for_each_head_of_pattern(file, of, [&](const at::Tensor& weights) {
    const at::Tensor sums = weights.sum(-1), are_zeros = sums.eq(0);
    const at::Tensor is_one = (sums - 1).abs().le(kOffSum);
    has_rows = has_rows || is_one.any().item<bool>();
    are_one = are_one && is_one.logical_or(are_zeros).all().item<bool>();
  });
  return has_rows && are_one;
}

/// What to do where the heads of keys and values are not as many, if those of one are repeated, or
/// come again in the same order.
std::string repeat_advice(const File& file, const Tensor& v, const Tensor& k) {
  const bool are_values = v.sizes[1] > k.sizes[1];
  const Tensor& more = are_values ? v : k;
  const std::int64_t few = std::min(v.sizes[1], k.sizes[1]), times = more.sizes[1] / few;
  if (more.sizes[1] % few != 0) return "";
  const char *const of_more = are_values ? "v" : "k", *const other = are_values ? "k" : "v";
  const at::Tensor rows = file.read(more.name).reshape(more.sizes);
  const bool are_tiled = rows.equal(rows.slice(1, 0, few).repeat({1, times, 1}));
  if (are_tiled && !rows.select(1, 0).equal(rows.select(1, 1))) {
    return fmt::format(
        "the heads of {0} come again after {1}: if the heads of queries read them in groups, "
        "{0}[:, :{1}] takes one of each; if head h reads h % {1}, tile {2} too, repeat(1, {3}, 1)",
        of_more, few, other, times);
  }
  return fmt::format(
      "if {0} is repeated for each head of queries, {0}[:, ::{1}] takes one of each; else repeat "
      "{2} too, repeat_interleave({1}, 1)",
      of_more, times, other);
}

}  // namespace

void check_signs(const File& file, const Recorded& of) {
  for_each_head_of_pattern(file, of, [&](const at::Tensor& weights) {
    const double least = weights.nan_to_num(0).min().item<double>();
    file.complaint().unless(least >= 0, out_of_range, place(of.square->name),
                            "weights of at least 0", fmt::format("{:.6g}", least), kLogitsAdvice);
  });
}

bool are_values_of_queries(const File& file, const Recorded& of) {
  if (!of.square || of.q || !of.v) return false;
  const Sizes &square = of.square->sizes, &values = of.v->sizes;
  return values[0] == square[1] && square[0] % values[1] == 0 && are_rows_one(file, of);
}

void refuse_sizes(const File& file, const Recorded& of) {
  check_signs(file, of);
  const Sizes square =
      of.square ? of.square->sizes : Sizes{of.q->sizes[1], of.q->sizes[0], of.k->sizes[0]};
  const std::int64_t heads = square[0], queries = square[1], keys = square[2];
  const std::string beside =
      of.square ? fmt::format(" beside {}", in_quotes(of.square->name)) : std::string();
  const auto expect = [&](const Tensor& tensor, bool holds, std::string expected,
                          std::string advice = "") {
    file.complaint().unless(holds, inconsistent, place(tensor.name), std::move(expected),
                            fmt::format("shape {}", file.entry(tensor.name).shape),
                            std::move(advice));
  };
  if (of.q) {
    expect(*of.q, of.q->sizes[0] == queries && of.q->sizes[1] == heads,
           fmt::format("[{}, {}, d_head]{}", queries, heads, beside));
    expect(*of.k, of.k->sizes[0] == keys, fmt::format("[{}, key head, d_head]{}", keys, beside));
    check_heads(file, *of.k, heads);
    expect(*of.k, of.k->sizes[2] == of.q->sizes[2],
           fmt::format("d_head {} as {} has", of.q->sizes[2], in_quotes(of.q->name)),
           of.q->sizes[0] == 1
               ? "are their heads side by side? tensor[0].unflatten(-1, (heads, -1))"
               : "");
  }
  if (of.v) {
    expect(*of.v, of.v->sizes[0] == keys,
           fmt::format("[{}, key head, d_head], a value a key", keys),
           value_advice(*of.v, queries, keys));
    check_heads(file, *of.v, heads);
  }
  if (of.v && of.k) {
    expect(*of.v, of.v->sizes[1] == of.k->sizes[1],
           fmt::format("{} heads as {} has", of.k->sizes[1], in_quotes(of.k->name)),
           repeat_advice(file, *of.v, *of.k));
  }
  throw std::logic_error("sizes that go together");
}

void check_not_averaged(const File& file, const Recorded& of) {
  file.complaint().unless(of.square->sizes[0] != 1, inconsistent, place(of.square->name),
                          "[head, query, key] of several heads, as beside it",
                          fmt::format("shape {}", file.entry(of.square->name).shape), kOfEachHead);
}

void check_two_keys(const File& file, const Recorded& of) {
  const Sizes& sizes = of.square->sizes;
  file.complaint().unless(sizes[2] > 1 || sizes[1] == 1, malformed, place(of.square->name),
                          "[head, query, key] of two keys or more",
                          fmt::format("shape {}: is it the logarithm of the sum over the keys?",
                                      file.entry(of.square->name).shape),
                          "record the scores that it sums over");
}

void check_rotated_width(const File& file, std::int64_t layer) {
  const std::string q = q_name(file, layer), plain = names::q(layer);
  if (q == plain || !file.contains(plain)) return;
  const auto width = sizes_of(file, plain).back(), rotated = sizes_of(file, q).back();
  file.complaint().unless(
      rotated == width, inconsistent, place(q),
      fmt::format("the {} numbers of d_head that {} has", width, in_quotes(plain)),
      fmt::format("{}: is it the part that is rotated?", rotated),
      "put those that are not rotated beside it, of k too; or leave it out where q and k are as "
      "the scores read them");
}

}  // namespace attn::gpt2
