#include "gpt2_check/activations/outputs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>

#include <algorithm>

#include "gpt2_check/activations/softmax_rows.hpp"

namespace attn::gpt2 {
namespace {

/// Weights [query, key] of some rows, and by how much rounding may have moved each.
struct Weights {
  at::Tensor values, error;
};

/// The rows from `begin` on; `hidden` [query, key]: what they do not see.
Weights weights_of(const LayerRows& rows, std::int64_t head, std::int64_t begin,
                   const at::Tensor& hidden, const Rounding& rounding) {
  if (const HeadSquares& pattern = rows.recorded_weights(); pattern.defined()) {
    const at::Tensor values = pattern[head].slice(0, begin, begin + hidden.size(0)).to(at::kDouble);
    return {values, values * (3 * rounding.relative) + rounding.least};
  }
  const SoftmaxRows made = softmax_of(LogitHead(rows, head), begin, hidden, rounding);
  const at::Tensor error = at::maximum(made.most - made.weights, made.weights - made.least);
  return {made.weights.masked_fill(hidden, 0), error.masked_fill(hidden, 0)};
}

/// Outputs [query, d of v] of some rows of a head, and by how much rounding may have moved each.
struct Made {
  at::Tensor values, error;
};

/// The rows from `begin` on, of so many heads of queries.
Made made(const LayerRows& rows, std::int64_t heads, std::int64_t head, std::int64_t begin,
          const at::Tensor& hidden, const Rounding& rounding) {
  const at::Tensor v = rows.v.select(1, head * rows.v.size(1) / heads);
  const double of_sum =
      rounding.relative + static_cast<double>(v.size(0)) * rounding_of_steps(rounding);
  const Weights weights = weights_of(rows, head, begin, hidden, rounding);
  const at::Tensor values = at::mm(weights.values, v);
  return {values, at::mm(weights.error + weights.values * of_sum, v.abs()) +
                      values.abs() * (2 * rounding.relative) + rounding.least};
}

/// `seen` [query, key]: of the head; `sees` [query, 1]: whether a query sees a key in some head.
std::optional<OffOutput> first_off_of(const LayerRows& rows, const at::Tensor& outputs,
                                      std::int64_t head, const at::Tensor& seen,
                                      const at::Tensor& sees, const Rounding& rounding) {
  const std::int64_t queries = seen.size(0), block = rows_at_once(seen.size(1));
  for (std::int64_t begin = 0; begin < queries; begin += block) {
    const at::Tensor hidden = seen.slice(0, begin, begin + block).logical_not();
    const at::Tensor recorded = outputs.select(1, head).slice(0, begin, begin + block);
    const Made of_rows = made(rows, outputs.size(1), head, begin, hidden, rounding);
    const at::Tensor is_near = (recorded - of_rows.values).abs().le(of_rows.error);  // NaN is not
    const at::Tensor is_off =
        is_near.logical_not().logical_and(sees.slice(0, begin, begin + block));
    if (!is_off.any().item<bool>()) continue;
    const auto first = is_off.flatten().to(at::kByte).argmax().item<std::int64_t>();
    const std::int64_t width = outputs.size(2), row = first / width, number = first % width;
    return OffOutput{.query = begin + row,
                     .head = head,
                     .number = number,
                     .recorded = recorded[row][number].item<double>(),
                     .made = of_rows.values[row][number].item<double>(),
                     .is_of_no_key = hidden[row].all().item<bool>()};
  }
  return std::nullopt;
}

}  // namespace

const Rounding& rounding_of_outputs(const LayerRows& rows, const at::Tensor& outputs) {
  const HeadSquares& pattern = rows.recorded_weights();
  return coarser(pattern.defined() ? rounding_in(pattern) : rounding_of_logits(rows),
                 coarser(rounding_in(rows.v), rounding_in(outputs)));
}

std::optional<OffOutput> first_off(const LayerRows& rows, const at::Tensor& outputs,
                                   const Rounding& rounding, std::int64_t heads) {
  const at::Tensor seen = seen_keys(rows, outputs.size(0), rows.v.size(0));
  const at::Tensor sees = seen.any(-1).any(0).unsqueeze(1);
  for (std::int64_t head = 0; head < heads; ++head) {
    const at::Tensor of_head = seen[seen.size(0) > 1 ? head : 0];
    if (auto off = first_off_of(rows, outputs, head, of_head, sees, rounding)) return off;
  }
  return std::nullopt;
}

double factor_of(const LayerRows& rows, const at::Tensor& outputs) {
  const at::Tensor seen = seen_keys(rows, outputs.size(0), rows.v.size(0))[0];
  const at::Tensor values =
      made(rows, outputs.size(1), 0, 0, seen.logical_not(), rounding_of_outputs(rows, outputs))
          .values;
  return (outputs.select(1, 0) * values).sum().item<double>() /
         values.square().sum().item<double>();
}

}  // namespace attn::gpt2
