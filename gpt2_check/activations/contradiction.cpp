#include "gpt2_check/activations/contradiction.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/mm.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace attn::gpt2 {
namespace {

/// A layer whose scores are rounded to a type, or its queries, keys, their products and these by T.
LayerRows rounded(LayerRows rows, at::ScalarType type) {
  const auto round = [type](const at::Tensor& numbers) {
    return numbers.to(type).to(numbers.scalar_type());
  };
  if (rows.scores.defined()) {
    rows.scores = {rows.scores.heads(), [round, scores = rows.scores](std::int64_t head) {
                     return round(scores[head]);
                   }};
    return rows;
  }
  const std::int64_t group = rows.q.size(1) / rows.k.size(1);
  rows.scores = {rows.q.size(1), [=, q = rows.q, k = rows.k, T = rows.temperature](auto head) {
                   const at::Tensor keys = round(k.select(1, head / group));
                   return round(round(at::mm(round(q.select(1, head)), keys.t())) / T);
                 }};
  rows.temperature = 1;
  return rows;
}

/// A layer whose queries and keys are rounded to a type, and not their products, as hardware
/// multiplies that keeps fewer bits of what it multiplies.
LayerRows rounded_factors(LayerRows rows, at::ScalarType type) {
  for (at::Tensor* const factor : {&rows.q, &rows.k}) *factor = factor->to(type).to(at::kDouble);
  return rows;
}

/// The type of 16 bits to whose bits the queries and keys were rounded where they were multiplied,
/// in words; nothing where there is none.
std::optional<std::string> factors_that_fit(const LayerRows& rows) {
  if (rows.scores.defined()) return std::nullopt;
  for (const auto& [type, words] :
       {std::pair{at::kHalf, "11 bits, as TF32 has"}, {at::kBFloat16, "8 bits, as bfloat16 has"}}) {
    if (agreement(rounded_factors(rows, type)).is_explained) return words;
  }
  return std::nullopt;
}

/// The type of 16 bits to which the logits were rounded before the softmax, as the pattern has it,
/// in words; nothing where there is none.
std::optional<std::string> rounding_that_fits(const LayerRows& rows, const Compared& compared) {
  for (const auto& [type, name] : {std::pair{at::kHalf, "float16"}, {at::kBFloat16, "bfloat16"}}) {
    const LayerRows of_type = rounded(rows, type);
    LayerRows first = of_type;
    first.pattern = {1, [pattern = rows.pattern](std::int64_t head) { return pattern[head]; }};
    if (!agreement(first).is_explained) continue;  // the first head tells mostly
    const Agreement found = agreement(of_type);
    // A coarser type explains more by itself.
    const bool is_nearer = 2 * found.largest < compared.agreement.largest;
    if (found.is_explained && is_nearer) return name;
  }
  return std::nullopt;
}

}  // namespace

Contradiction contradiction(LayerRows rows, const std::vector<Compared>& masks) {
  Contradiction result;
  const Compared& nearest = *std::ranges::min_element(
      masks, {}, [](const Compared& one) { return one.agreement.rows_off; });
  if (const auto slope = slope_of_pattern(rows)) {
    for (const Compared& mask : masks) {
      rows.seen = mask.seen;
      result.fitting_temperature = fitting_temperature(rows, *slope);
      if (result.fitting_temperature) return result;
    }
  }
  rows.seen = nearest.seen;
  if (const auto type = rounding_that_fits(rows, nearest)) {
    result.remarks.push_back(
        fmt::format("the pattern is softmax(l/T) of {} in {}: record them so, as the model does",
                    rows.scores.defined() ? "the scores" : "q, k and their products", *type));
    return result;
  }
  if (const auto bits = factors_that_fit(rows)) {
    result.remarks.push_back(
        fmt::format("the pattern is softmax(l/T) of products of q and k rounded to {}: record the "
                    "scores, or compute them in float32",
                    *bits));
    return result;
  }
  const std::int64_t queries = rows.pattern[0].size(0), all = queries * rows.pattern.heads();
  const auto& [head, query] = nearest.agreement.first_off;
  if (2 * nearest.agreement.rows_off < all) {
    result.remarks.push_back(
        fmt::format("{} of the {} rows of the pattern {} not softmax(l/T), the first that of query "
                    "{} in head {}",
                    nearest.agreement.rows_off, all, nearest.agreement.rows_off == 1 ? "is" : "are",
                    query, head));
  }
  return result;
}

}  // namespace attn::gpt2
