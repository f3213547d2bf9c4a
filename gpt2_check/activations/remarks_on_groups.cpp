#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_svd.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"

namespace attn::gpt2 {
namespace {

/// Whether one share of the weight lies on a group of keys in all rows of a head, though the rows
/// differ by `clear` times more than these shares do. `group`: [key, 1].
bool has_one_share(const at::Tensor& of_head, const at::Tensor& group, double rounded,
                   double clear) {
  constexpr double kLeast = 0.02;
  const at::Tensor weights = of_head / of_head.sum(1, true), shares = weights.matmul(group);
  const double least = shares.min().item<double>(), most = shares.max().item<double>();
  if (least < kLeast || most > 1 - kLeast || most - least > 2 * rounded * most) return false;
  const auto changes = [](const at::Tensor& of) {
    return (of.slice(0, 1) - of.slice(0, 0, -1)).square().sum().item<double>();
  };
  return changes(shares) * clear * clear < least * (1 - most) * changes(weights);
}

/// The keys of one of two groups, [key, 1], the first key among them, each of which has one share
/// of the weight in all rows of a head. Of the first group less its share then no row has any: the
/// weights are singular, and their one null vector has a number above 0 for its keys and one below
/// for the others.
std::optional<at::Tensor> group_of_one_share(const at::Tensor& of_head, double rounded,
                                             double clear) {
  constexpr double kClear = 30;
  const auto [left, sizes, right] = at::linalg_svd(of_head, false);
  const std::int64_t last = sizes.size(0) - 1;
  const double noise = rounded * of_head.norm().item<double>();
  if (sizes[last].item<double>() > noise) return std::nullopt;
  if (sizes[last - 1].item<double>() < kClear * noise) return std::nullopt;
  const at::Tensor is_above = right[last].gt(0);
  const at::Tensor group = is_above.eq(is_above[0]).to(at::kDouble).unsqueeze(1);
  if (!has_one_share(of_head, group, rounded, clear)) return std::nullopt;
  return group;
}

}  // namespace

std::optional<std::string> remark_on_groups(const HeadSquares& weights, const at::Tensor& seen,
                                            const Rounding& rounding) {
  constexpr std::int64_t kFewRows = 8, kMostQueries = 256;
  constexpr double kSteps = 4;
  const double clear = clear_of_heads(weights.heads());
  if (seen.size(1) > kMostQueries) return std::nullopt;
  at::Tensor group;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor is_seen = square_of(seen, head);
    const at::Tensor part = seen_part(is_seen, is_seen);
    const bool are_enough = part.size(0) >= std::max(kFewRows, part.size(1)) && part.size(1) > 1;
    if (!are_enough || !part.all().item<bool>()) return std::nullopt;
    const auto of_head = group_of_one_share(seen_part(seen_weights(weights, seen, head), is_seen),
                                            kSteps * rounding.relative, clear);
    if (!of_head || (group.defined() && !group.equal(*of_head))) return std::nullopt;
    group = *of_head;
  }
  const auto keys = group.sum().item<double>();
  return fmt::format(kShareOfGroup, keys, static_cast<double>(group.numel()) - keys);
}

}  // namespace attn::gpt2
