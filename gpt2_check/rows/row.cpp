#include "gpt2_check/rows/row.hpp"

#include <ATen/ATen.h>

namespace attn::gpt2 {
namespace {

/// One head of a [position, head, d_head] tensor.
class HeadView {
 public:
  HeadView(const at::Tensor& tensor, std::int64_t head)
      : data_(tensor.data_ptr<double>() + head * tensor.size(2)),
        stride_(tensor.size(1) * tensor.size(2)),
        width_(tensor.size(2)) {}

  [[nodiscard]] std::span<const double> at(std::int64_t position) const {
    return {data_ + position * stride_, static_cast<std::size_t>(width_)};
  }

 private:
  const double* data_;
  std::int64_t stride_, width_;
};

std::vector<Rational> exact_row(std::span<const double> values) {
  std::vector<Rational> row;
  row.reserve(values.size());
  for (const double value : values) row.push_back(exact(value));
  return row;
}

Rational exact_dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

Case logits_only(const LayerRows& layer, const Row& row) {
  Case input;
  input.temperature = exact(row.temperature);
  const std::vector<Rational> query = exact_row(HeadView(layer.q, row.head).at(row.row));
  const HeadView keys(layer.k, row.head);
  for (std::int64_t i = 0; i <= row.row; ++i) {
    input.logits.push_back(exact_dot(query, exact_row(keys.at(i))));
  }
  return input;
}

Case with_embeddings(const LayerRows& layer, const Row& row) {
  Case input = logits_only(layer, row);
  const HeadView values(layer.v, row.head);
  for (std::int64_t i = 0; i <= row.row; ++i) {
    input.embeddings.push_back(exact_row(values.at(i)));
  }
  return input;
}

}  // namespace

Case exact_case(const LayerRows& layer, const Row& row) {
  return logits_only(layer, row);
}

Case exact_case_top_n(const LayerRows& layer, const Row& row, std::size_t n) {
  Case input = with_embeddings(layer, row);
  input.top_n = n;
  return input;
}

Case exact_case_set(const LayerRows& layer, const Row& row, std::vector<std::size_t> set) {
  Case input = with_embeddings(layer, row);
  input.set = std::move(set);
  return input;
}

}  // namespace attn::gpt2
