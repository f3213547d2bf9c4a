#include "gpt2_check/activations/outputs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/softmax_rows.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// The pattern of a layer, of its source or beside it; undefined where it has none.
const HeadSquares& pattern_of(const LayerRows& rows) {
  return rows.weights.defined() ? rows.weights : rows.pattern;
}

const Rounding& coarsest_of(const LayerRows& rows, const at::Tensor& outputs) {
  const HeadSquares& pattern = pattern_of(rows);
  return coarser(pattern.defined() ? rounding_in(pattern) : rounding_of_logits(rows),
                 coarser(rounding_in(rows.v), rounding_in(outputs)));
}

/// Weights [query, key] of some rows, and by how much rounding may have moved each.
struct Weights {
  at::Tensor values, error;
};

/// The rows from `begin` on; `hidden` [query, key]: what they do not see.
Weights weights_of(const LayerRows& rows, std::int64_t head, std::int64_t begin,
                   const at::Tensor& hidden, const Rounding& rounding) {
  if (const HeadSquares& pattern = pattern_of(rows); pattern.defined()) {
    const at::Tensor values = pattern[head].slice(0, begin, begin + hidden.size(0)).to(at::kDouble);
    return {values, values * (3 * rounding.relative) + rounding.least};
  }
  const SoftmaxRows made = softmax_of(LogitHead(rows, head), begin, hidden, rounding);
  const at::Tensor error = at::maximum(made.most - made.weights, made.weights - made.least);
  return {made.weights.masked_fill(hidden, 0), error.masked_fill(hidden, 0)};
}

/// An output that is not what weights and values make.
struct Off {
  std::int64_t query, head, number;
  double recorded, made;
};

/// The first such output of a head; nothing where there is none. `seen` [query, key].
std::optional<Off> first_off(const LayerRows& rows, const at::Tensor& outputs, std::int64_t head,
                             const at::Tensor& seen, const Rounding& rounding) {
  const std::int64_t queries = seen.size(0), keys = seen.size(1), block = rows_at_once(keys);
  const at::Tensor v = rows.v.select(1, head * rows.v.size(1) / outputs.size(1));
  const double of_sum = rounding.relative + static_cast<double>(keys) * rounding_of_steps(rounding);
  for (std::int64_t begin = 0; begin < queries; begin += block) {
    const at::Tensor hidden = seen.slice(0, begin, begin + block).logical_not();
    const Weights weights = weights_of(rows, head, begin, hidden, rounding);
    const at::Tensor recorded = outputs.select(1, head).slice(0, begin, begin + block);
    const at::Tensor made = at::mm(weights.values, v);
    const at::Tensor error = at::mm(weights.error + weights.values * of_sum, v.abs()) +
                             made.abs() * (2 * rounding.relative) + rounding.least;
    const at::Tensor is_near = (recorded - made).abs().le(error);  // NaN is not
    const at::Tensor is_off = is_near.logical_or(hidden.all(-1, true)).logical_not();
    if (!is_off.any().item<bool>()) continue;
    const auto first = is_off.flatten().to(at::kByte).argmax().item<std::int64_t>();
    const std::int64_t row = first / v.size(1), number = first % v.size(1);
    return Off{begin + row, head, number, recorded[row][number].item<double>(),
               made[row][number].item<double>()};
  }
  return std::nullopt;
}

}  // namespace

at::Tensor read_outputs(const File& file, const LayerShape& recorded) {
  const std::string name = names::z(recorded.layer);
  const safetensors::Entry& entry = file.entry(name);
  if (!at::isFloatingType(entry.dtype)) return {};
  const Sizes& sizes = entry.shape;
  // Whatever was made of the heads of one query: its numbers lie side by side.
  const std::size_t first = sizes.size() > 2 && sizes.front() == 1 && recorded.queries > 1 ? 1 : 0;
  std::int64_t numbers = 1;
  for (const std::int64_t size : sizes) numbers *= size;
  const Sizes wanted{recorded.queries, recorded.heads, recorded.value_width};
  const bool fits = sizes.size() > first && sizes[first] == recorded.queries &&
                    numbers == wanted[0] * wanted[1] * wanted[2];
  return fits ? file.read(name).to(at::kDouble).reshape(wanted) : at::Tensor();
}

void expect_outputs(const File& file, const LayerRows& rows, const at::Tensor& outputs,
                    const at::Tensor& queries) {
  const Rounding& rounding = coarsest_of(rows, outputs);
  const at::Tensor seen = seen_keys(rows, outputs.size(0), rows.v.size(0));
  for (std::int64_t head = 0; head < outputs.size(1); ++head) {
    const auto off = first_off(rows, outputs, head, seen[seen.size(0) > 1 ? head : 0], rounding);
    if (!off) continue;
    const std::int64_t query =
        queries.defined() ? queries[off->query].item<std::int64_t>() : off->query;
    file.complaint().refuse(BadInput(
        {.kind = BadInputKind::inconsistent,
         .where = safetensors::place(names::z(rows.layer)),
         .expected = fmt::format("the weights times the values, {:.6g} of query {}, head {}, "
                                 "number {}",
                                 off->made, query, head, off->number),
         .found = fmt::format("{:.6g}, more than rounding makes", off->recorded),
         .advice = fmt::format(
             "are hook_v and the {} those of this call, their heads and keys in one order, and "
             "hook_z what comes before a gate and the output's matrix? Leave out what is not",
             pattern_of(rows).defined() ? "pattern" : "logits")}));
  }
}

}  // namespace attn::gpt2
