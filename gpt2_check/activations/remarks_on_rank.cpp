#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_svdvals.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"

namespace attn::gpt2 {
namespace {

/// How many rows the rows of a head are combinations of but for rounding; nothing where it is not
/// clear, or where these are few or nearly all. `of_head`: [query, key], above 0.
std::optional<std::int64_t> rank_of(const at::Tensor& of_head, double rounded) {
  constexpr std::int64_t kFew = 8;
  constexpr double kMost = 0.75, kClear = 30;
  constexpr double kRounded = 4;  // as of numbers that come of a few
  const at::Tensor logarithms = of_head.log();
  // Rows and columns that are multiplied by numbers are of the same rank: all are of one size then.
  const at::Tensor centred = logarithms - logarithms.mean(1, true) - logarithms.mean(0);
  const at::Tensor scaled = (centred + logarithms.mean()).exp();
  const double noise = kRounded * rounded * scaled.norm().item<double>();
  if (!std::isfinite(noise)) return std::nullopt;
  const at::Tensor sizes = at::linalg_svdvals(scaled);
  const auto rank = sizes.gt(noise).sum().item<std::int64_t>();
  const bool is_clear = kFew <= rank && rank < sizes.size(0) &&
                        sizes[rank - 1].item<double>() >= kClear * sizes[rank].item<double>();
  if (!is_clear) return std::nullopt;
  // The logits of few numbers, and rows that repeat, are of no greater rank themselves.
  const double of_logarithms =
      kRounded * (rounded * std::sqrt(static_cast<double>(logarithms.numel())) +
                  rounding_of(at::kDouble).relative * logarithms.norm().item<double>());
  const at::Tensor of_logits = at::linalg_svdvals(logarithms).gt(of_logarithms).sum();
  if (static_cast<double>(rank) >= kMost * of_logits.item<double>()) return std::nullopt;
  return rank;
}

/// What the queries that see any key have of the keys that are seen; where not all of these see
/// them all, the later half of the queries, and of the keys the earlier half, as under a causal
/// mask.
at::Tensor seen_rectangle(const at::Tensor& of_head, const at::Tensor& seen) {
  const at::Tensor part = seen_part(of_head, seen);
  if (seen_part(seen, seen).all().item<bool>()) return part;
  return part.slice(0, part.size(0) / 2).slice(1, 0, part.size(1) / 2);
}

}  // namespace

std::optional<std::string> remark_on_rank(const HeadSquares& weights, const at::Tensor& seen,
                                          const Rounding& rounding) {
  constexpr std::int64_t kMostQueries = 256;  // of more it takes long
  if (seen.size(1) > kMostQueries) return std::nullopt;
  std::int64_t most = 0;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head =
        seen_rectangle(seen_weights(weights, seen, head), square_of(seen, head));
    if (!of_head.gt(0).all().item<bool>()) return std::nullopt;
    const auto rank = rank_of(of_head, rounding.relative);
    if (!rank) return std::nullopt;
    most = std::max(most, *rank);
  }
  return fmt::format(kOfFewRows, most);
}

}  // namespace attn::gpt2
