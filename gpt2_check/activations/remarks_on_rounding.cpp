#include <ATen/TensorOperators.h>
#include <ATen/ops/_unique.h>
#include <ATen/ops/pow.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "gpt2_check/activations/first_rows.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"

namespace attn::gpt2 {
namespace {

/// As many weights are not of few digits by chance.
constexpr std::size_t kDifferent = 16;

const char* plural(std::int64_t rows) {
  return rows == 1 ? "" : "s";
}

/// [query], booleans: which rows of a head hold a 0 where a key is seen, and a weight. `of_head`:
/// its seen weights.
at::Tensor rows_of_zeros(const at::Tensor& of_head, const at::Tensor& seen, std::int64_t head) {
  const at::Tensor is_zero = of_head.eq(0).logical_and(square_of(seen, head));
  return is_zero.any(-1).logical_and(of_head.gt(0).any(-1));
}

/// Whether all weights are whole multiples of 1 / `scale` but for the rounding of their type,
/// several different ones of them so small that this tells multiples from others.
bool are_multiples(const HeadSquares& weights, const at::Tensor& seen, double scale,
                   const Rounding& rounding) {
  constexpr double kTells = 0.1;
  constexpr std::size_t kSeveral = 8;
  const double of_product = rounding_of(at::kDouble).relative;
  std::set<double> different;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor scaled = seen_weights(weights, seen, head) * scale, whole = scaled.round();
    const at::Tensor error = scaled * (rounding.relative + of_product) + rounding.least * scale;
    if ((scaled - whole).abs().gt(error).any().item<bool>()) return false;
    if (different.size() >= kSeveral) continue;
    const at::Tensor telling = whole.masked_select(whole.gt(0).logical_and(error.le(kTells)));
    const at::Tensor found = std::get<0>(at::_unique(telling)).contiguous();
    different.insert(found.data_ptr<double>(), found.data_ptr<double>() + found.numel());
  }
  return different.size() >= kSeveral;
}

/// How many different weights, some at least, show by more than their rounding that all have so
/// many significant digits at most; nothing where they have more.
std::optional<std::size_t> weights_of_digits(const HeadSquares& weights, const at::Tensor& seen,
                                             int digits, const Rounding& rounding) {
  constexpr double kTells = 0.1, kSteps = 8;  // of the computation below
  const double relative = rounding.relative + kSteps * rounding_of(at::kDouble).relative;
  std::set<double> different;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    const at::Tensor numbers = of_head.masked_select(of_head.gt(0));
    const at::Tensor factor = at::pow(10.0, digits - 1 - numbers.log10().floor());
    const at::Tensor scaled = numbers * factor, whole = scaled.round();
    const at::Tensor error = scaled * relative + factor * rounding.least;
    if ((scaled - whole).abs().gt(error).any().item<bool>()) return std::nullopt;
    if (different.size() >= kDifferent) continue;
    const at::Tensor telling = whole.masked_select(error.le(kTells));
    const at::Tensor found = std::get<0>(at::_unique(telling)).contiguous();
    different.insert(found.data_ptr<double>(), found.data_ptr<double>() + found.numel());
  }
  return different.size();
}

}  // namespace

std::optional<std::string> remark_on_lost_sinks(const HeadSquares& weights,
                                                const at::Tensor& seen) {
  const double rounded = rounding_in(weights).relative;
  std::int64_t rows = 0;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor sums = seen_weights(weights, seen, head).sum(-1);
    const at::Tensor left = 1 - sums;  // a larger sum than rounding makes is counted as such
    const at::Tensor is_lost = left.le(sums * rounded).logical_and(left.ge(-kOffSum));
    rows += is_lost.sum().item<std::int64_t>();
  }
  if (rows == 0) return std::nullopt;
  return fmt::format(kLostSink, rows, plural(rows));
}

std::optional<std::string> remark_on_decimals(const HeadSquares& weights, const at::Tensor& seen) {
  constexpr int kFewest = 2, kMost = 6;
  const Rounding& rounding = rounding_in(weights);
  const auto& [first, of_first] = first_rows(weights, seen);
  constexpr double kLevels = 255;  // of an image, and black
  if (are_multiples(first, of_first, kLevels, rounding)) return kOfImage;
  int decimals = kFewest;
  while (!are_multiples(first, of_first, std::pow(10, decimals), rounding)) {
    if (++decimals > kMost) return std::nullopt;
  }
  std::int64_t rows = 0;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    rows += rows_of_zeros(of_head, seen, head).sum().item<std::int64_t>();
  }
  if (rows == 0) return std::nullopt;
  return fmt::format(kDecimals, decimals, rows, plural(rows));
}

std::optional<std::string> remark_on_digits(const HeadSquares& weights, const at::Tensor& seen) {
  constexpr int kFewest = 2, kMost = 6;
  const Rounding& rounding = rounding_in(weights);
  int digits = kMost + 1;
  std::optional<std::size_t> found;
  while (digits > kFewest) {
    const auto of_fewer = weights_of_digits(weights, seen, digits - 1, rounding);
    if (!of_fewer) break;
    found = of_fewer;
    --digits;
  }
  if (found.value_or(0) < kDifferent) return std::nullopt;
  return fmt::format(kDigits, digits);
}

std::optional<std::string> remark_on_far_zeros(const HeadSquares& weights, const at::Tensor& seen) {
  std::int64_t rows = 0;
  double least = 1;  // above 0
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    const at::Tensor sums = of_head.sum(-1), is_one = (sums - 1).abs().le(kOffSum);
    const at::Tensor has_zero = rows_of_zeros(of_head, seen, head);
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
