#include "gpt2_check/activations/agreement.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cmath>

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
  return {.largest = difference.max().item<double>(),
          .is_explained = is_between.logical_or(nothing).all().item<bool>()};
}

}  // namespace

Agreement agreement(const LayerRows& rows) {
  constexpr std::int64_t kNumbers = 1 << 20;  // at once
  const Rounding& rounding = coarsest_of(rows);
  at::Tensor seen;
  Agreement result;
  for (std::int64_t head = 0; head < rows.pattern.heads(); ++head) {
    const Squares squares{.pattern = rows.pattern[head],
                          .scores = rows.scores.defined() ? rows.scores[head] : at::Tensor()};
    const std::int64_t queries = squares.pattern.size(0), keys = squares.pattern.size(1);
    const std::int64_t block = std::max<std::int64_t>(kNumbers / keys, 1);
    if (!seen.defined()) seen = seen_keys(rows, queries, keys);
    const at::Tensor of_head = seen[seen.size(0) > 1 ? head : 0];
    for (std::int64_t begin = 0; begin < queries; begin += block) {
      const at::Tensor hidden =
          of_head.slice(0, begin, std::min(begin + block, queries)).logical_not();
      const Agreement found = compare(rows, squares, head, begin, hidden, rounding);
      if (!(found.largest <= result.largest)) result.largest = found.largest;  // NaN is kept
      result.is_explained = result.is_explained && found.is_explained;
      if (std::isnan(result.largest)) return result;
    }
  }
  return result;
}

}  // namespace attn::gpt2
