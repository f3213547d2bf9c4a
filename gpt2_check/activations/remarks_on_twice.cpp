#include <ATen/TensorOperators.h>
#include <ATen/ops/_unique.h>

#include <tuple>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

/// The logarithms of a row of n keys, less their mean and with 1/n, are numbers of sum 1 that it is
/// the softmax of: weights, where none is below 0. So are those of nearly level rows, which show
/// nothing.
std::optional<std::string> remark_on_twice(const HeadSquares& weights, const at::Tensor& seen,
                                           const Rounding& rounding) {
  constexpr std::int64_t kFewKeys = 8, kSeveral = 4;
  constexpr double kClear = 0.3, kTimesLevel = 4, kNearNone = 0.1, kSteps = 4;
  if (rounding.relative > rounding_of(at::kFloat).relative) return std::nullopt;
  std::int64_t rows = 0, clear_rows = 0, rows_near_none = 0;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor is_seen = square_of(seen, head), hidden = is_seen.logical_not();
    const at::Tensor of_head = seen_weights(weights, seen, head);
    if (of_head.le(0).logical_and(is_seen).any().item<bool>()) return std::nullopt;
    const at::Tensor keys = is_seen.sum(-1, true, at::kDouble), are_enough = keys.ge(kFewKeys);
    const at::Tensor logarithms = of_head.log().masked_fill(hidden, 0);
    const at::Tensor first = logarithms + (1 - logarithms.sum(-1, true)) / keys;
    const at::Tensor least = first.masked_fill(hidden, kInfinity).amin(-1, true);
    const at::Tensor is_below = least.lt(-kSteps * rounding.relative);
    if (is_below.logical_and(are_enough).any().item<bool>()) return std::nullopt;
    const auto [most, of_key] = first.masked_fill(hidden, -kInfinity).max(-1, true);
    const at::Tensor is_clear =
        most.ge(kClear).logical_and(most.ge(kTimesLevel / keys)).logical_and(are_enough);
    // Their least weights are next to nothing, as those of keys that are alike need not be.
    const at::Tensor is_near_none = least.le(kNearNone / keys).logical_and(is_clear);
    rows_near_none += is_near_none.sum().item<std::int64_t>();
    rows += are_enough.sum().item<std::int64_t>();
    clear_rows += is_clear.sum().item<std::int64_t>();
    // Few keys that all queries prefer a little are no sign.
    if (std::get<0>(at::_unique(of_key.masked_select(is_clear))).numel() < kSeveral) return {};
  }
  if (4 * clear_rows < rows || 2 * rows_near_none < clear_rows) return std::nullopt;
  return kTwice;
}

}  // namespace attn::gpt2
