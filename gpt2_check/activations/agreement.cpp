#include "gpt2_check/activations/agreement.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpt2_check/activations/rounding.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

const Rounding& coarser(const Rounding& a, const Rounding& b) {
  return a.relative >= b.relative ? a : b;
}

/// The coarsest rounding of all tensors that a comparison of a layer's pattern reads.
const Rounding& coarsest_of(const LayerRows& rows) {
  const Rounding& of_pattern = rounding_in(rows.pattern);
  if (rows.scores.defined()) return coarser(of_pattern, rounding_in(rows.scores));
  return coarser(of_pattern, coarser(rounding_in(rows.q), rounding_in(rows.k)));
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

/// [query, key] of a head: the pattern, and the scores where they are recorded.
struct Squares {
  at::Tensor pattern, scores;
};

Squares squares_of(const LayerRows& rows, std::int64_t head) {
  return {.pattern = rows.pattern[head],
          .scores = rows.scores.defined() ? rows.scores[head] : at::Tensor()};
}

/// What some rows of a head are compared by: logits [query, key] by T, and by how much each may be
/// off.
struct Logits {
  at::Tensor values, error;
};

/// The rounding of what is computed in between: in float32 at least.
double rounding_of_steps(const Rounding& rounding) {
  return std::min(rounding.relative, 0x1p-24);
}

/// By how much of itself a logit may be off: so many times it is rounded to the type, and
/// exponentials of float32 are off by up to four roundings of their argument.
double error_of_logit(const Rounding& rounding, double times) {
  return times * rounding.relative + 4 * rounding_of_steps(rounding);
}

Logits logits_of(const LayerRows& rows, const Squares& squares, std::int64_t head,
                 std::int64_t begin, std::int64_t end, const Rounding& rounding) {
  if (squares.scores.defined()) {
    const at::Tensor values =
        squares.scores.slice(0, begin, end).to(at::kDouble) / rows.temperature;
    return {values, values.abs() * error_of_logit(rounding, 1)};
  }
  const std::int64_t group = rows.q.size(1) / rows.k.size(1);
  const at::Tensor q = rows.q.select(1, head).slice(0, begin, end);
  const at::Tensor k = rows.k.select(1, head / group);
  const at::Tensor values = at::mm(q, k.t()).div_(rows.temperature);
  const double times = is_power_of_two(rows.temperature) ? 1 : 2;
  const double of_sum =
      rounding_of_steps(rounding) * static_cast<double>(q.size(1)) / rows.temperature;
  const at::Tensor lengths = at::mm(q.norm(2, 1).unsqueeze(1), k.norm(2, 1).unsqueeze(0));
  return {values, values.abs() * error_of_logit(rounding, times) + lengths * of_sum};
}

/// p by what it becomes where its logit moves by `shift` against all others.
at::Tensor moved(const at::Tensor& p, const at::Tensor& shift) {
  const at::Tensor factor = shift.exp();
  return p * factor / (1 - p + p * factor);
}

/// Compares some rows of a head, of which `hidden` [query, key] says what they do not see.
Agreement compare(const LayerRows& rows, const Squares& squares, std::int64_t head,
                  std::int64_t begin, const at::Tensor& hidden, const Rounding& rounding) {
  constexpr double kMostShift = 500;  // whose exponential is finite
  const std::int64_t count = hidden.size(0), keys = hidden.size(1);
  const at::Tensor nothing = hidden.all(-1, true);
  const Logits logits = logits_of(rows, squares, head, begin, begin + count, rounding);
  at::Tensor values = logits.values.masked_fill(hidden, -kInfinity);
  at::Tensor error = logits.error.masked_fill(hidden, 0).amax(-1, true);
  if (rows.sink.defined()) {
    const double sink = rows.sink[head].item<double>();  // by T already
    error = error.clamp_min(std::abs(sink) * error_of_logit(rounding, 1));
    values = at::cat({values, at::full({count, 1}, sink, at::kDouble)}, -1);
  }
  const at::Tensor p = at::softmax(values, -1).slice(-1, 0, keys);
  const at::Tensor recorded = squares.pattern.slice(0, begin, begin + count).to(at::kDouble);
  // A mask that is added leaves so much of a key.
  const at::Tensor weights =
      recorded.masked_fill(hidden.logical_and(recorded.abs().le(kUnseenWeight)), 0);
  const at::Tensor difference = (weights - p).abs().masked_fill(nothing, 0);
  const at::Tensor shift = (2 * error).clamp_max(kMostShift);
  const double of_weight =
      3 * rounding.relative + rounding_of_steps(rounding) * static_cast<double>(keys);
  const at::Tensor most = moved(p, shift) * (1 + of_weight) + rounding.least;
  const at::Tensor least = moved(p, -shift) * (1 - of_weight) - rounding.least;
  const at::Tensor is_between = weights.le(most).logical_and(weights.ge(least));
  const at::Tensor is_off = is_between.logical_or(nothing).all(-1).logical_not();
  const auto rows_off = is_off.sum().item<std::int64_t>();
  return {.largest = difference.max().item<double>(),
          .is_explained = rows_off == 0,
          .most_shift = (2 * error).max().item<double>(),
          .rows_off = rows_off,
          .first_off = {head, begin + is_off.to(at::kByte).argmax().item<std::int64_t>()}};
}

/// How many rows are compared at once.
std::int64_t rows_at_once(std::int64_t keys) {
  constexpr std::int64_t kNumbers = 1 << 17;
  return std::max<std::int64_t>(kNumbers / keys, 1);
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
    const Squares squares = squares_of(rows, head);
    const std::int64_t queries = squares.pattern.size(0), keys = squares.pattern.size(1);
    const std::int64_t block = rows_at_once(keys);
    Squared sums;
    for (std::int64_t begin = 0; begin < queries; begin += block) {
      const std::int64_t end = std::min(begin + block, queries);
      sums.add(logits_of(raw, squares, head, begin, end, rounding_of(at::kDouble)).values,
               squares.pattern.slice(0, begin, end).to(at::kDouble));
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
    const Squares squares = squares_of(rows, head);
    const std::int64_t queries = squares.pattern.size(0), keys = squares.pattern.size(1);
    const std::int64_t block = rows_at_once(keys);
    if (!seen.defined()) seen = seen_keys(rows, queries, keys);
    const at::Tensor of_head = seen[seen.size(0) > 1 ? head : 0];
    for (std::int64_t begin = 0; begin < queries; begin += block) {
      const at::Tensor hidden =
          of_head.slice(0, begin, std::min(begin + block, queries)).logical_not();
      const Agreement found = compare(rows, squares, head, begin, hidden, rounding);
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
