#include "gpt2_check/activations/source.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

namespace attn::gpt2 {

namespace {

/// [query, key] of one head.
at::Tensor logits_of(const LayerRows& rows, std::int64_t head) {
  if (rows.scores.defined()) return rows.scores[head].clone();
  const std::int64_t group = rows.q.size(1) / rows.k.size(1);
  return at::mm(rows.q.select(1, head), rows.k.select(1, head / group).t());
}

}  // namespace

at::Tensor hidden_keys(const Mask& mask, std::int64_t positions) {
  at::Tensor hidden = at::ones({positions, positions}, at::kBool);
  for (std::int64_t query = 0; query < positions; ++query) {
    hidden[query].slice(0, mask.first(query), mask.end(query, positions)).fill_(false);
  }
  return hidden;
}

std::optional<double> pattern_difference(const LayerRows& rows) {
  if (!rows.pattern.defined()) return std::nullopt;
  const std::int64_t positions = rows.pattern.size(1);
  const at::Tensor hidden = hidden_keys(rows.mask, positions);
  double largest = 0;
  for (std::int64_t head = 0; head < rows.pattern.size(0); ++head) {
    const at::Tensor logits = logits_of(rows, head).div_(rows.temperature);
    const at::Tensor pattern =
        at::softmax(logits.masked_fill(hidden, -std::numeric_limits<double>::infinity()), -1);
    const double difference =
        (pattern - rows.pattern[head].to(at::kDouble)).abs().max().item<double>();
    if (!(difference <= largest)) largest = difference;  // NaN is kept
    if (std::isnan(largest)) break;
  }
  return largest;
}

}  // namespace attn::gpt2
