#include "gpt2_check/activations/source.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
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

/// The weights of the keys, beside a learned sink where there is one.
at::Tensor softmax_with(const LayerRows& rows, std::int64_t head, const at::Tensor& logits) {
  if (!rows.sink.defined()) return at::softmax(logits, -1);
  const at::Tensor sink = rows.sink[head].expand({logits.size(0), 1});
  return at::softmax(at::cat({sink, logits}, -1), -1).slice(-1, 1);
}

}  // namespace

at::Tensor hidden_keys(const Mask& mask, std::int64_t queries, std::int64_t keys) {
  at::Tensor hidden = at::ones({queries, keys}, at::kBool);
  for (std::int64_t query = 0; query < queries; ++query) {
    hidden[query].slice(0, mask.first(query), mask.end(query, keys)).fill_(false);
  }
  return hidden;
}

at::Tensor seen_keys(const LayerRows& layer, std::int64_t queries, std::int64_t keys) {
  if (layer.seen.defined()) return layer.seen;
  return hidden_keys(layer.mask, queries, keys).logical_not().unsqueeze(0);
}

void RecordedWeights::add(const LayerRows& layer) {
  const at::Tensor& weights = layer.weights.defined() ? layer.weights : layer.pattern;
  if (!weights.defined()) return;
  const at::Tensor seen = seen_keys(layer, weights.size(1), weights.size(2));
  zeros += static_cast<std::uint64_t>(weights.eq(0).logical_and(seen).sum().item<std::int64_t>());
  const at::Tensor sums = weights.to(at::kDouble).sum(-1);
  const at::Tensor distance = layer.sink.defined() ? sums - 1 : (sums - 1).abs();
  const at::Tensor off = sums.masked_select(distance.gt(kOffSum).logical_and(sums.gt(0)));
  off_sum_rows += static_cast<std::uint64_t>(off.numel());
  for (std::int64_t i = 0; i < off.numel(); ++i) {
    const double sum = off[i].item<double>();
    if (!farthest_sum || std::abs(sum - 1) > std::abs(*farthest_sum - 1)) farthest_sum = sum;
  }
}

std::optional<double> pattern_difference(const LayerRows& rows) {
  if (!rows.pattern.defined()) return std::nullopt;
  const at::Tensor seen = seen_keys(rows, rows.pattern.size(1), rows.pattern.size(2));
  double largest = 0;
  for (std::int64_t head = 0; head < rows.pattern.size(0); ++head) {
    const at::Tensor hidden = seen[seen.size(0) > 1 ? head : 0].logical_not();
    const at::Tensor logits = logits_of(rows, head)
                                  .div_(rows.temperature)
                                  .masked_fill_(hidden, -std::numeric_limits<double>::infinity());
    const at::Tensor pattern = softmax_with(rows, head, logits);
    const at::Tensor difference_of = (pattern - rows.pattern[head].to(at::kDouble)).abs();
    const double difference =
        difference_of.masked_fill(hidden.all(-1, true), 0).max().item<double>();
    if (!(difference <= largest)) largest = difference;  // NaN is kept
    if (std::isnan(largest)) break;
  }
  return largest;
}

}  // namespace attn::gpt2
