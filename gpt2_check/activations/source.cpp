#include "gpt2_check/activations/source.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <cmath>

namespace attn::gpt2 {

std::int64_t LayerRows::heads() const {
  if (q.defined()) return q.size(1);
  return scores.defined() ? scores.heads() : weights.heads();
}

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

at::Tensor square_of(const at::Tensor& squares, std::int64_t head) {
  return squares[squares.size(0) > 1 ? head : 0];
}

at::Tensor seen_part(const at::Tensor& square, const at::Tensor& is_seen) {
  return square.index_select(0, is_seen.any(1).nonzero().flatten())
      .index_select(1, is_seen.any(0).nonzero().flatten());
}

at::Tensor seen_weights(const HeadSquares& weights, const at::Tensor& seen, std::int64_t head) {
  const at::Tensor hidden = square_of(seen, head).logical_not();
  return weights[head].to(at::kDouble).masked_fill(hidden, 0);
}

void RecordedWeights::add(const LayerRows& layer) {
  const HeadSquares& weights = layer.recorded_weights();
  if (!weights.defined()) return;
  at::Tensor seen;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = weights[head], sums = of_head.sum(-1, false, at::kDouble);
    if (!seen.defined()) seen = seen_keys(layer, of_head.size(0), of_head.size(1));
    const at::Tensor none = of_head.eq(0).logical_and(square_of(seen, head));
    zeros += static_cast<std::uint64_t>(none.sum().item<std::int64_t>());
    if (layer.weights.defined()) {
      zero_rows += static_cast<std::uint64_t>(none.any(-1).sum().item<std::int64_t>());
    }
    for (std::int64_t row = 0; row < sums.numel(); ++row) {
      const double sum = sums[row].item<double>();
      const double distance = layer.sink.defined() ? sum - 1 : std::abs(sum - 1);
      if (sum == 0 || distance <= kOffSum) continue;
      ++off_sum_rows;
      if (sum > 1) ++rows_above_one;
      if (!farthest_sum || std::abs(sum - 1) > std::abs(*farthest_sum - 1)) farthest_sum = sum;
    }
  }
}

}  // namespace attn::gpt2
