#include "gpt2_check/activations/softmax_rows.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cmath>

#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

/// By how much of itself a logit may be off: so many times it is rounded to the type, and
/// exponentials of float32 are off by up to four roundings of their argument.
double error_of_logit(const Rounding& rounding, double times) {
  return times * rounding.relative + 4 * rounding_of_steps(rounding);
}

/// p by what it becomes where its logit moves by `shift` against all others.
at::Tensor moved(const at::Tensor& p, const at::Tensor& shift) {
  const at::Tensor factor = shift.exp();
  return p * factor / (1 - p + p * factor);
}

}  // namespace

const Rounding& coarser(const Rounding& a, const Rounding& b) {
  return a.relative >= b.relative ? a : b;
}

const Rounding& rounding_of_logits(const LayerRows& rows) {
  if (rows.scores.defined()) return rounding_in(rows.scores);
  return coarser(rounding_in(rows.q), rounding_in(rows.k));
}

double rounding_of_steps(const Rounding& rounding) {
  return std::min(rounding.relative, 0x1p-24);
}

std::int64_t rows_at_once(std::int64_t keys) {
  constexpr std::int64_t kNumbers = 1 << 17;
  return std::max<std::int64_t>(kNumbers / keys, 1);
}

LogitHead::LogitHead(const LayerRows& layer, std::int64_t number)
    : rows(layer),
      head(number),
      scores(layer.scores.defined() ? layer.scores[number] : at::Tensor()) {}

Logits logits_of(const LogitHead& head, std::int64_t begin, std::int64_t end,
                 const Rounding& rounding) {
  const LayerRows& rows = head.rows;
  if (head.scores.defined()) {
    const at::Tensor values = head.scores.slice(0, begin, end).to(at::kDouble) / rows.temperature;
    return {values, values.abs() * error_of_logit(rounding, 1)};
  }
  const std::int64_t group = rows.q.size(1) / rows.k.size(1);
  const at::Tensor q = rows.q.select(1, head.head).slice(0, begin, end);
  const at::Tensor k = rows.k.select(1, head.head / group);
  const at::Tensor values = at::mm(q, k.t()).div_(rows.temperature);
  const double times = is_power_of_two(rows.temperature) ? 1 : 2;
  const double of_sum =
      rounding_of_steps(rounding) * static_cast<double>(q.size(1)) / rows.temperature;
  const at::Tensor lengths = at::mm(q.norm(2, 1).unsqueeze(1), k.norm(2, 1).unsqueeze(0));
  return {values, values.abs() * error_of_logit(rounding, times) + lengths * of_sum};
}

SoftmaxRows softmax_of(const LogitHead& head, std::int64_t begin, const at::Tensor& hidden,
                       const Rounding& rounding) {
  constexpr double kMostShift = 500;  // whose exponential is finite
  const std::int64_t count = hidden.size(0), keys = hidden.size(1);
  const Logits logits = logits_of(head, begin, begin + count, rounding);
  at::Tensor values = logits.values.masked_fill(hidden, -kInfinity);
  at::Tensor error = logits.error.masked_fill(hidden, 0).amax(-1, true);
  if (head.rows.sink.defined()) {
    const double sink = head.rows.sink[head.head].item<double>();  // by T already
    error = error.clamp_min(std::abs(sink) * error_of_logit(rounding, 1));
    values = at::cat({values, at::full({count, 1}, sink, at::kDouble)}, -1);
  }
  const at::Tensor p = at::softmax(values, -1).slice(-1, 0, keys);
  const at::Tensor shift = (2 * error).clamp_max(kMostShift);
  const double of_weight =
      3 * rounding.relative + rounding_of_steps(rounding) * static_cast<double>(keys);
  return {.weights = p,
          .least = moved(p, -shift) * (1 - of_weight) - rounding.least,
          .most = moved(p, shift) * (1 + of_weight) + rounding.least,
          .most_shift = (2 * error).max().item<double>()};
}

}  // namespace attn::gpt2
