#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

/// The rows of a head that have any weight.
at::Tensor rows_of(const HeadSquares& weights, const at::Tensor& seen, std::int64_t head) {
  const at::Tensor of_head = seen_weights(weights, seen, head);
  return of_head.index_select(0, of_head.sum(-1).gt(0).nonzero().flatten());
}

/// Whether each row of a head may be the mean of the last `count` rows, or of all of fewer, of
/// other weights, and these are not what the row before has.
bool are_rolling_means(const at::Tensor& rows, std::int64_t count, const Rounding& rounding) {
  constexpr std::int64_t kFewRows = 8;
  constexpr double kUneven = 0.5, kSteps = 4;  // rows that are nearly alike have less
  if (rows.size(0) < std::max(kFewRows, 2 * count)) return false;
  std::vector<at::Tensor> undone{rows[0]}, errors{rows[0] * (kSteps * rounding.relative)};
  double uneven = 0, all = 0;
  for (std::int64_t row = 1; row < rows.size(0); ++row) {
    const at::Tensor last = rows[row - 1], now = rows[row];
    const auto before = static_cast<double>(std::min(row, count));
    const auto with_this = static_cast<double>(std::min(row + 1, count));
    at::Tensor added = now * with_this - last * before;
    at::Tensor error = (now * with_this + last * before) * (kSteps * rounding.relative) +
                       2 * with_this * rounding.least;
    if (row >= count) {
      const auto first = static_cast<std::size_t>(row - count);
      added = added + undone[first];
      error = error + errors[first];
    }
    if (added.lt(-error).any().item<bool>()) return false;
    const at::Tensor known = added.masked_fill(last.le(0).logical_or(added.le(error)), 0);
    const at::Tensor alike = last * (known.sum() / last.sum());
    uneven += (known - alike).abs().sum().item<double>();
    all += known.sum().item<double>();
    undone.push_back(added);
    errors.push_back(error);
  }
  return all > 0 && uneven >= kUneven * all;
}

std::optional<std::int64_t> rolling_means(const HeadSquares& weights, const at::Tensor& seen,
                                          const Rounding& rounding) {
  constexpr std::int64_t kMostRows = 8;
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 2; count <= kMostRows; ++count) counts.push_back(count);
  for (std::int64_t head = 0; head < weights.heads() && !counts.empty(); ++head) {
    const at::Tensor rows = rows_of(weights, seen, head);
    std::erase_if(counts, [&](auto count) { return !are_rolling_means(rows, count, rounding); });
  }
  return counts.empty() ? std::nullopt : std::optional(counts.front());
}

/// The part of the row before that each row of the later half of a head has of all keys.
at::Tensor kept_parts(const at::Tensor& rows) {
  constexpr double kLeast = 1e-30;
  const at::Tensor later = rows.slice(0, rows.size(0) / 2);
  const at::Tensor last = later.slice(0, 0, -1), now = later.slice(0, 1);
  return (now / last).masked_fill(last.le(kLeast), kInfinity).amin(1);
}

/// Whether each weight is nearly that of the query before and the key before: such weights, of
/// distances, fall by one part from row to row.
bool are_of_distances(const at::Tensor& rows) {
  constexpr double kNear = 0.2;
  const at::Tensor before = rows.slice(0, 0, -1).slice(1, 0, -1),
                   now = rows.slice(0, 1).slice(1, 1);
  return (now - before).abs().sum().item<double>() < kNear * now.sum().item<double>();
}

/// Whether one part of the row before is kept in most rows of all heads, and nowhere less.
bool are_exponential_means(const HeadSquares& weights, const at::Tensor& seen) {
  constexpr std::int64_t kFewRows = 16;
  constexpr double kLeast = 0.05, kNear = 0.1;
  std::vector<at::Tensor> parts;
  std::int64_t all = 0;
  double least = 1;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor rows = rows_of(weights, seen, head);
    if (rows.size(0) < 4 || are_of_distances(rows)) return false;
    parts.push_back(kept_parts(rows));
    all += parts.back().numel();
    least = std::min(least, parts.back().min().item<double>());
    if (least < kLeast) return false;
  }
  const double most = least + kNear * std::min(least, 1 - least);
  return all >= kFewRows && least <= 1 - kLeast &&
         std::ranges::all_of(parts, [&](const at::Tensor& of_head) {
           return 4 * of_head.le(most).sum().item<std::int64_t>() >= 3 * of_head.numel();
         });
}

}  // namespace

std::optional<std::string> remark_on_averages(const HeadSquares& weights, const at::Tensor& seen,
                                              const Rounding& rounding) {
  if (const auto count = rolling_means(weights, seen, rounding)) {
    return fmt::format(kAverages, fmt::format("the last {} of other weights", *count));
  }
  if (are_exponential_means(weights, seen)) {
    return fmt::format(kAverages, "the later ones by more, as exponential smoothing makes it");
  }
  return std::nullopt;
}

}  // namespace attn::gpt2
