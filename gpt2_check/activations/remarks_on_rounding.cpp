#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"

namespace attn::gpt2 {
namespace {

/// Weights [query, key] of a head, float64, 0 where its queries see no key. `seen`: [1 or head,
/// query, key], booleans.
at::Tensor visible(const HeadSquares& weights, const at::Tensor& seen, std::int64_t head) {
  const at::Tensor hidden = seen[seen.size(0) > 1 ? head : 0].logical_not();
  return weights[head].to(at::kDouble).masked_fill(hidden, 0);
}

const char* plural(std::int64_t rows) {
  return rows == 1 ? "" : "s";
}

}  // namespace

std::optional<std::string> remark_on_lost_sinks(const HeadSquares& weights,
                                                const at::Tensor& seen) {
  const double rounded = rounding_in(weights).relative;
  std::int64_t rows = 0;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor sums = visible(weights, seen, head).sum(-1);
    const at::Tensor left = 1 - sums;  // a larger sum than rounding makes is counted as such
    const at::Tensor is_lost = left.le(sums * rounded).logical_and(left.ge(-kOffSum));
    rows += is_lost.sum().item<std::int64_t>();
  }
  if (rows == 0) return std::nullopt;
  return fmt::format(kLostSink, rows, plural(rows));
}

std::optional<std::string> remark_on_far_zeros(const HeadSquares& weights, const at::Tensor& seen) {
  std::int64_t rows = 0;
  double least = 1;  // above 0
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = visible(weights, seen, head);
    const at::Tensor sums = of_head.sum(-1), is_one = (sums - 1).abs().le(kOffSum);
    const at::Tensor is_zero = of_head.eq(0).logical_and(seen[seen.size(0) > 1 ? head : 0]);
    const at::Tensor has_zero = is_zero.any(-1).logical_and(sums.ne(0));
    const auto count = has_zero.sum().item<std::int64_t>();
    // Of another sum, as dropout leaves them, they have no logits anyway.
    if (count > has_zero.logical_and(is_one).sum().item<std::int64_t>()) return std::nullopt;
    rows += count;
    least = std::min(least, of_head.masked_fill(of_head.le(0), 1).min().item<double>());
  }
  if (rows == 0) return std::nullopt;
  const double far = std::max(std::sqrt(rounding_in(weights).least), kUnseenWeight);
  if (least < far) return std::nullopt;
  return fmt::format(kFarZeros, least, rows, plural(rows));
}

}  // namespace attn::gpt2
