#include "gpt2_check/activations/source.hpp"

#include <ATen/TensorOperators.h>
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

}  // namespace

at::Tensor hidden_keys(const Mask& mask, std::int64_t positions) {
  at::Tensor hidden = at::ones({positions, positions}, at::kBool);
  for (std::int64_t query = 0; query < positions; ++query) {
    hidden[query].slice(0, mask.first(query), mask.end(query, positions)).fill_(false);
  }
  return hidden;
}

at::Tensor seen_keys(const LayerRows& layer, std::int64_t positions) {
  if (layer.seen.defined()) return layer.seen;
  return hidden_keys(layer.mask, positions).logical_not().unsqueeze(0);
}

ActivationShape::Reach ActivationShape::reach(std::int64_t row) const {
  return rows.empty() ? Reach{.most = row + 1} : rows[static_cast<std::size_t>(row)];
}

std::int64_t ActivationShape::longest_row() const {
  std::int64_t most = 0;
  for (std::int64_t row = 0; row < positions; ++row) most = std::max(most, reach(row).most);
  return most;
}

std::int64_t ActivationShape::longest_length() const {
  std::int64_t length = positions;
  while (length > 1 && !reach(length - 1).is_whole) --length;
  return length > 1 ? length : 0;
}

void RecordedWeights::add(const LayerRows& layer) {
  const at::Tensor& weights = layer.weights.defined() ? layer.weights : layer.pattern;
  if (!weights.defined()) return;
  const at::Tensor seen = seen_keys(layer, weights.size(1));
  zeros += static_cast<std::uint64_t>(weights.eq(0).logical_and(seen).sum().item<std::int64_t>());
  const at::Tensor sums = weights.to(at::kDouble).sum(-1);
  const at::Tensor off = sums.masked_select((sums - 1).abs().gt(kOffSum).logical_and(sums.gt(0)));
  off_sum_rows += static_cast<std::uint64_t>(off.numel());
  for (std::int64_t i = 0; i < off.numel(); ++i) {
    const double sum = off[i].item<double>();
    if (!farthest_sum || std::abs(sum - 1) > std::abs(*farthest_sum - 1)) farthest_sum = sum;
  }
}

std::optional<double> pattern_difference(const LayerRows& rows) {
  if (!rows.pattern.defined()) return std::nullopt;
  const std::int64_t positions = rows.pattern.size(1);
  const at::Tensor seen = seen_keys(rows, positions);
  double largest = 0;
  for (std::int64_t head = 0; head < rows.pattern.size(0); ++head) {
    const at::Tensor hidden = seen[rows.seen.defined() ? head : 0].logical_not();
    const at::Tensor logits = logits_of(rows, head).div_(rows.temperature);
    const at::Tensor pattern =
        at::softmax(logits.masked_fill(hidden, -std::numeric_limits<double>::infinity()), -1);
    const at::Tensor difference_of = (pattern - rows.pattern[head].to(at::kDouble)).abs();
    const double difference =
        difference_of.masked_fill(hidden.all(-1, true), 0).max().item<double>();
    if (!(difference <= largest)) largest = difference;  // NaN is kept
    if (std::isnan(largest)) break;
  }
  return largest;
}

}  // namespace attn::gpt2
