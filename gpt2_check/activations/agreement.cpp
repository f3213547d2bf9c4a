#include "gpt2_check/activations/agreement.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/softmax_rows.hpp"

namespace attn::gpt2 {
namespace {

/// The coarsest rounding of all tensors that a comparison of a layer's pattern reads.
const Rounding& coarsest_of(const LayerRows& rows) {
  return coarser(rounding_in(rows.pattern), rounding_of_logits(rows));
}

/// Compares some rows of a head, of which `hidden` [query, key] says what they do not see.
/// `pattern`: all rows of the head.
Agreement compare(const LogitHead& head, const at::Tensor& pattern, std::int64_t begin,
                  const at::Tensor& hidden, const Rounding& rounding) {
  const at::Tensor nothing = hidden.all(-1, true);
  const SoftmaxRows made = softmax_of(head, begin, hidden, rounding);
  const at::Tensor recorded = pattern.slice(0, begin, begin + hidden.size(0)).to(at::kDouble);
  // A mask that is added leaves so much of a key.
  const at::Tensor weights =
      recorded.masked_fill(hidden.logical_and(recorded.abs().le(kUnseenWeight)), 0);
  const at::Tensor difference = (weights - made.weights).abs().masked_fill(nothing, 0);
  const at::Tensor is_between = weights.le(made.most).logical_and(weights.ge(made.least));
  const at::Tensor is_off = is_between.logical_or(nothing).all(-1).logical_not();
  const auto rows_off = is_off.sum().item<std::int64_t>();
  return {.largest = difference.max().item<double>(),
          .is_explained = rows_off == 0,
          .most_shift = made.most_shift,
          .rows_off = rows_off,
          .first_off = {head.head, begin + is_off.to(at::kByte).argmax().item<std::int64_t>()}};
}

/// The sums of least squares: see slope_of_pattern.
struct Squared {
  double products{}, of_logits{};

  /// `logits` and `weights` [query, key].
  void add(const at::Tensor& logits, const at::Tensor& weights) {
    const at::Tensor is_read = weights.gt(0).logical_and(logits.isfinite());
    const at::Tensor w = at::where(is_read, weights, 0.0), x = at::where(is_read, logits, 0.0);
    const at::Tensor y = at::where(is_read, weights, 1.0).log();
    const at::Tensor sum = w.sum(-1, true).clamp_min(std::numeric_limits<double>::min());
    const at::Tensor from_mean = x - (w * x).sum(-1, true) / sum;
    products += (w * from_mean * (y - (w * y).sum(-1, true) / sum)).sum().item<double>();
    of_logits += (w * from_mean.square()).sum().item<double>();
  }
};

}  // namespace

std::optional<double> slope_of_pattern(const LayerRows& rows) {
  LayerRows raw = rows;
  raw.temperature = 1;
  std::vector<double> slopes;
  for (std::int64_t head = 0; head < rows.pattern.heads(); ++head) {
    const LogitHead logits(raw, head);
    const at::Tensor pattern = rows.pattern[head];
    const std::int64_t queries = pattern.size(0), block = rows_at_once(pattern.size(1));
    Squared sums;
    for (std::int64_t begin = 0; begin < queries; begin += block) {
      const std::int64_t end = std::min(begin + block, queries);
      sums.add(logits_of(logits, begin, end, rounding_of(at::kDouble)).values,
               pattern.slice(0, begin, end).to(at::kDouble));
    }
    if (sums.of_logits > 0) slopes.push_back(sums.products / sums.of_logits);
  }
  if (slopes.empty()) return std::nullopt;
  constexpr double kAlike = 0.1;
  std::ranges::sort(slopes);
  const double median = slopes[slopes.size() / 2];
  const bool are_alike = slopes.back() - slopes.front() <= kAlike * median;
  return are_alike && median > 0 ? std::optional(median) : std::nullopt;
}

std::optional<double> fitting_temperature(LayerRows rows, double slope) {
  constexpr double kNear = 0.02;
  const double fitted = 1 / slope;
  for (const double nearby :
       {std::sqrt(std::round(fitted * fitted)), 1 / std::sqrt(std::round(slope * slope)), fitted}) {
    if (!(std::abs(nearby - fitted) <= kNear * fitted)) continue;
    rows.temperature = nearby;
    if (agreement(rows).is_explained) return nearby;
  }
  return std::nullopt;
}

Agreement agreement(const LayerRows& rows) {
  const Rounding& rounding = coarsest_of(rows);
  at::Tensor seen;
  Agreement result;
  for (std::int64_t head = 0; head < rows.pattern.heads(); ++head) {
    const LogitHead logits(rows, head);
    const at::Tensor pattern = rows.pattern[head];
    const std::int64_t queries = pattern.size(0), keys = pattern.size(1);
    const std::int64_t block = rows_at_once(keys);
    if (!seen.defined()) seen = seen_keys(rows, queries, keys);
    const at::Tensor of_head = square_of(seen, head);
    for (std::int64_t begin = 0; begin < queries; begin += block) {
      const at::Tensor hidden =
          of_head.slice(0, begin, std::min(begin + block, queries)).logical_not();
      const Agreement found = compare(logits, pattern, begin, hidden, rounding);
      if (!(found.largest <= result.largest)) result.largest = found.largest;  // NaN is kept
      if (result.rows_off == 0) result.first_off = found.first_off;
      result.rows_off += found.rows_off;
      result.is_explained = result.is_explained && found.is_explained;
      result.most_shift = std::max(result.most_shift, found.most_shift);
      if (std::isnan(result.largest)) return result;
    }
  }
  return result;
}

}  // namespace attn::gpt2
