#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include <cmath>
#include <memory>
#include <utility>

#include "gpt2_check/rows/window_check.hpp"

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

/// [query, key] of whatever type.
template <class Numbers>
Square square_of(const at::Tensor& tensor, at::ScalarType type) {
  Numbers numbers(tensor.size(0), tensor.size(1));
  at::from_blob(numbers.data(), tensor.sizes(), type).copy_(tensor);
  return Square(std::move(numbers));
}

Square square_of(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? square_of<Rows>(tensor, at::kDouble)
                                             : square_of<NarrowRows>(tensor, at::kFloat);
}

/// What a query sees of [query, key].
Mask listed(const at::Tensor& seen) {
  const at::Tensor dense = seen.contiguous();
  const bool* at = dense.data_ptr<bool>();
  Mask::Lists lists(static_cast<std::size_t>(seen.size(0)));
  for (std::vector<std::int64_t>& keys : lists) {
    for (std::int64_t key = 0; key < seen.size(1); ++key) {
      if (*at++) keys.push_back(key);
    }
  }
  return {.lists = std::make_shared<const Mask::Lists>(std::move(lists))};
}

/// Which head of the keys or values a head of queries reads.
std::int64_t key_head(const LayerRows& layer, const at::Tensor& keys, std::int64_t head) {
  return head / (layer.heads() / keys.size(1));
}

}  // namespace

Head head_of(const LayerRows& layer, std::int64_t head, double temperature) {
  Head result{.layer = layer.layer, .head = head, .temperature = temperature, .mask = layer.mask};
  if (layer.seen.defined()) {
    result.mask = listed(square_of(layer.seen, head));
  }
  if (layer.scores.defined()) {
    result.scores = square_of(layer.scores[head]);
  } else if (layer.weights.defined()) {
    result.pattern = square_of(layer.weights[head]);
    result.pattern_temperature = layer.temperature;
    for (Eigen::Index query = 0; query < result.pattern.queries(); ++query) {
      const double sum = result.pattern.row(query).sum();
      const double distance = layer.sink.defined() ? sum - 1 : std::abs(sum - 1);
      result.is_off_sum.push_back(sum > 0 && distance > kOffSum);
    }
  } else {
    result.q = rows_of(layer.q, head);
    result.k = rows_of(layer.k, key_head(layer, layer.k, head));
  }
  if (layer.v.defined()) {
    result.x = rows_of(layer.v, key_head(layer, layer.v, head));
  } else {
    result.x = Rows(result.has_queries() ? result.k.rows() : result.square().keys(), 0);
  }
  if (!layer.sink.defined()) return result;
  return with_sink(std::move(result), layer.sink[head].item<double>() * layer.temperature);
}

}  // namespace attn::gpt2
