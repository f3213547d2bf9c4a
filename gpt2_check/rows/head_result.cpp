#include "gpt2_check/rows/head_result.hpp"

#include <ATen/core/Tensor.h>

#include <cmath>
#include <random>
#include <utility>

#include "gpt2_check/rows/head_check.hpp"

namespace attn::gpt2 {
namespace {

/// [position, head, width] of one head.
Rows rows_of(const at::Tensor& tensor, std::int64_t head) {
  using Strided = Eigen::Map<const Rows, 0, Eigen::OuterStride<>>;
  const std::int64_t width = tensor.size(-1);
  const std::int64_t stride = tensor.numel() / tensor.size(0);
  return Strided(tensor.data_ptr<double>() + head * width, tensor.size(0), width,
                 Eigen::OuterStride<>(stride));
}

/// [query, key] of one head, of [head, query, key].
Rows square_of(const at::Tensor& tensor, std::int64_t head) {
  return rows_of(tensor.select(0, head).unsqueeze(1), 0);
}

/// What a query sees of [query, key].
Mask listed(const at::Tensor& seen) {
  const auto positions = static_cast<std::size_t>(seen.size(0));
  const at::Tensor dense = seen.contiguous();
  const bool* at = dense.data_ptr<bool>();
  Mask::Lists lists(positions);
  for (std::vector<std::int64_t>& keys : lists) {
    for (std::size_t key = 0; key < positions; ++key) {
      if (*at++) keys.push_back(static_cast<std::int64_t>(key));
    }
  }
  return {.lists = std::make_shared<const Mask::Lists>(std::move(lists))};
}

/// Which head of the keys or values a head of queries reads.
std::int64_t key_head(const LayerRows& layer, const at::Tensor& keys, std::int64_t head) {
  const std::int64_t heads = layer.q.defined()        ? layer.q.size(1)
                             : layer.scores.defined() ? layer.scores.size(0)
                                                      : layer.weights.size(0);
  return head / (heads / keys.size(1));
}

}  // namespace

Head head_of(const LayerRows& layer, std::int64_t head, double temperature) {
  Head result{.layer = layer.layer, .head = head, .temperature = temperature, .mask = layer.mask};
  if (layer.seen.defined()) result.mask = listed(layer.seen[head]);
  if (layer.scores.defined()) {
    result.scores = square_of(layer.scores, head);
  } else if (layer.weights.defined()) {
    result.pattern = square_of(layer.weights, head);
    result.pattern_temperature = layer.temperature;
    const Eigen::VectorXd sums = result.pattern.rowwise().sum();
    for (const double sum : sums) {
      result.is_off_sum.push_back(sum > 0 && std::abs(sum - 1) > kOffSum);
    }
    result.scores = scores_of(result.pattern, layer.temperature);
  } else {
    result.q = rows_of(layer.q, head);
    result.k = rows_of(layer.k, key_head(layer, layer.k, head));
  }
  if (layer.v.defined()) {
    result.x = rows_of(layer.v, key_head(layer, layer.v, head));
  } else {
    result.x = Rows(result.has_queries() ? result.q.rows() : result.scores.rows(), 0);
  }
  return result;
}

HeadResult check_head(const LayerRows& layer, std::int64_t index, const CheckPlan& plan,
                      std::span<const Claim* const> claims) {
  // At which the claims are decided.
  const std::vector<double> temperatures =
      plan.temperatures.empty() ? std::vector<double>{layer.temperature} : plan.temperatures;
  HeadResult result;
  result.head = std::make_shared<const Head>(head_of(layer, index, temperatures.front()));
  HeadCheck check(result.head, plan.stage, claims, plan.measures.lengths);
  result.measures = measure_head(*result.head, plan.measures, [&](const RowSelections& row) {
    check.check(row, temperatures.front());
  });
  SelectionPlan others = plan.measures.selection;
  others.draws = 1;
  others.for_claims = true;
  std::erase_if(others.rows, [&](std::int64_t row) { return result.head->tokens(row) < 2; });
  std::mt19937_64 stream = stream_of(plan.measures.seed, *result.head);
  for (std::size_t t = 1; t < temperatures.size(); ++t) {
    for_each_row(*result.head, temperatures[t], others, stream,
                 [&](const RowSelections& row) { check.check(row, temperatures[t]); });
  }
  result.tallies = check.tallies();
  result.pairs = check.pairs();
  return result;
}

}  // namespace attn::gpt2
