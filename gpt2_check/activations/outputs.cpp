#include "gpt2_check/activations/outputs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>

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

/// Some rows of a head that are compared with what was recorded of them.
struct ComparedRows {
  std::int64_t head{}, begin{};
  at::Tensor recorded, made, hidden;
  at::Tensor is_off;  ///< [query, d of v], booleans
};

/// Visits the rows of the first heads, some at a time, until `visit` says that it has seen enough.
template <class Visit>
void for_each_block(const LayerRows& rows, const at::Tensor& outputs, const Rounding& rounding,
                    std::int64_t heads, const Visit& visit) {
  const at::Tensor seen = seen_keys(rows, outputs.size(0), rows.v.size(0));
  const at::Tensor sees = seen.any(2).any(0).unsqueeze(1);  // of a query in some head
  const std::int64_t count = rows_at_once(seen.size(2));
  for (std::int64_t head = 0; head < heads; ++head) {
    const at::Tensor of_head = square_of(seen, head);
    for (std::int64_t begin = 0; begin < seen.size(1); begin += count) {
      const at::Tensor hidden = of_head.slice(0, begin, begin + count).logical_not();
      const at::Tensor recorded = outputs.select(1, head).slice(0, begin, begin + count);
      const Made of_rows = made(rows, outputs.size(1), head, begin, hidden, rounding);
      const at::Tensor is_near = (recorded - of_rows.values).abs().le(of_rows.error);  // NaN is not
      const ComparedRows compared{
          .head = head,
          .begin = begin,
          .recorded = recorded,
          .made = of_rows.values,
          .hidden = hidden,
          .is_off = is_near.logical_not().logical_and(sees.slice(0, begin, begin + count))};
      if (visit(compared)) return;
    }
  }
}

}  // namespace

const Rounding& rounding_of_outputs(const LayerRows& rows, const at::Tensor& outputs) {
  const HeadSquares& pattern = rows.recorded_weights();
  return coarser(pattern.defined() ? rounding_in(pattern) : rounding_of_logits(rows),
                 rounding_in(outputs));
}

std::optional<OffOutput> first_off(const LayerRows& rows, const at::Tensor& outputs,
                                   const Rounding& rounding, std::int64_t heads) {
  std::optional<OffOutput> found;
  for_each_block(rows, outputs, rounding, heads, [&](const ComparedRows& block) {
    if (!block.is_off.any().item<bool>()) return false;
    const auto first = block.is_off.flatten().to(at::kByte).argmax().item<std::int64_t>();
    const std::int64_t row = first / outputs.size(2), number = first % outputs.size(2);
    found = {.query = block.begin + row,
             .head = block.head,
             .number = number,
             .recorded = block.recorded[row][number].item<double>(),
             .made = block.made[row][number].item<double>(),
             .is_of_no_key = block.hidden[row].all().item<bool>()};
    return true;
  });
  return found;
}

std::int64_t count_off(const LayerRows& rows, const at::Tensor& outputs, const Rounding& rounding) {
  std::int64_t count = 0;
  for_each_block(rows, outputs, rounding, outputs.size(1), [&](const ComparedRows& block) {
    count += block.is_off.sum().item<std::int64_t>();
    return false;
  });
  return count;
}

std::vector<double> factors_of(const LayerRows& rows, const at::Tensor& outputs) {
  const auto heads = static_cast<std::size_t>(outputs.size(1));
  std::vector<double> products(heads), squares(heads);
  for_each_block(rows, outputs, rounding_of_outputs(rows, outputs), outputs.size(1),
                 [&](const ComparedRows& block) {
                   const auto head = static_cast<std::size_t>(block.head);
                   products[head] += (block.recorded * block.made).sum().item<double>();
                   squares[head] += block.made.square().sum().item<double>();
                   return false;
                 });
  for (std::size_t head = 0; head < heads; ++head) products[head] /= squares[head];
  return products;
}

at::Tensor factors_of_rows(const LayerRows& rows, const at::Tensor& outputs) {
  at::Tensor factors = at::ones({outputs.size(0), outputs.size(1)}, at::kDouble);
  for_each_block(rows, outputs, rounding_of_outputs(rows, outputs), outputs.size(1),
                 [&](const ComparedRows& block) {
                   const at::Tensor of_block =
                       (block.recorded * block.made).sum(1) / block.made.square().sum(1);
                   factors.select(1, block.head)
                       .slice(0, block.begin, block.begin + of_block.size(0))
                       .copy_(of_block);
                   return false;
                 });
  return factors;
}

}  // namespace attn::gpt2
