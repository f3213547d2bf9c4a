#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/linalg_lstsq.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"

namespace attn::gpt2 {
namespace {

std::optional<std::string> on_identity(const HeadSquares& weights, const at::Tensor& seen) {
  constexpr std::int64_t kFew = 8;
  if (seen.size(1) != seen.size(2)) return std::nullopt;
  std::int64_t rows = 0;
  bool are_one = true, are_two = true;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    const at::Tensor own = of_head.diagonal(), sums = of_head.sum(-1);
    if (own.lt(sums * (1 - kOffSum) / 2).any().item<bool>()) return std::nullopt;
    const auto are_all = [&](double sum) {
      const at::Tensor is_sum = (sums / sum - 1).abs().le(kOffSum);
      return is_sum.logical_or(sums.eq(0)).all().item<bool>();
    };
    are_one = are_one && are_all(1);
    are_two = are_two && are_all(2);
    rows += of_head.gt(0).sum(-1).gt(1).sum().item<std::int64_t>();
  }
  if (rows < kFew || !(are_one || are_two)) return std::nullopt;
  return fmt::format(kMeanWithIdentity, are_one ? "mean" : "sum");
}

/// Whether positive numbers by which the rows are multiplied make every column sum to 1, though the
/// rows are not level.
bool is_over_queries(const at::Tensor& of_head, double rounded) {
  constexpr double kLeastOff = 1e-3, kClear = 30;  // what chance makes is farther off
  const std::int64_t keys = of_head.size(1);
  const at::Tensor ones = at::ones({keys, 1}, at::kDouble);
  const at::Tensor factors =
      std::get<0>(at::linalg_lstsq(of_head.t(), ones, {}, "gelsy"));  // [query, 1]
  if (!factors.gt(0).all().item<bool>()) return false;                // nor is NaN
  const double off = (at::mm(of_head.t(), factors) - ones).abs().max().item<double>();
  const at::Tensor deviations = of_head.std(1, false, true) * factors;
  return off <= std::max(kLeastOff, rounded) && kClear * off < deviations.norm().item<double>();
}

std::optional<std::string> on_queries(const HeadSquares& weights, const at::Tensor& seen,
                                      const Rounding& rounding) {
  constexpr std::int64_t kMoreKeys = 3;  // of fewer chance may do it
  if (seen.size(2) < seen.size(1) + kMoreKeys || !seen.all().item<bool>()) return std::nullopt;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    if (!is_over_queries(of_head, rounding.relative)) return std::nullopt;
  }
  return kOverQueries;
}

std::optional<std::string> on_columns(const HeadSquares& weights, const at::Tensor& seen) {
  constexpr std::int64_t kFew = 8;
  constexpr double kClear = 20;  // sums that chance makes are farther off
  if (seen.size(1) != seen.size(2) || seen.size(1) < kFew || !seen.all().item<bool>()) return {};
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    const at::Tensor off = at::cat({of_head.sum(0), of_head.sum(1)}) - 1;
    const at::Tensor by_chance = of_head.var(1, true, true).sum() * of_head.size(1);
    const bool is_clear = (kClear * kClear * off.square().sum()).lt(by_chance).all().item<bool>();
    if (off.abs().gt(kOffSum).any().item<bool>() || !is_clear) return std::nullopt;
  }
  return kBothWays;
}

/// A head whose queries see the first keys, each so many.
struct FirstKeys {
  at::Tensor weights;  ///< [query, key]
  at::Tensor seen;     ///< [query, 1]: how many keys a query sees
  at::Tensor before;   ///< [query, key + 1]: the sum of the weights of the keys before
};

/// KeyParts of the keys of one size, one after the other: how far their sums are off those of equal
/// parts, and how far they would be by chance, both squared and added up. The last one that a query
/// sees has what is left, and is not counted.
struct KeyParts {
  std::int64_t size{};
  double off{}, by_chance{};
  std::int64_t sums{};
  bool are_alike{true};  ///< whether the first two hold the same weights, as of a text that repeats

  /// Adds a head; whether no sum is farther off than that of a softmax may be.
  bool add(const FirstKeys& head) {
    const at::Tensor parts = (head.seen + size - 1).div(size, "floor").clamp_min(1);  // of a query
    const at::Tensor part = at::arange(parts.max().item<std::int64_t>() - 1);
    const at::Tensor share = 1 / parts.to(at::kDouble), is_none = part.ge(parts - 1);
    const at::Tensor sum =
        head.before.index_select(1, (part + 1) * size) - head.before.index_select(1, part * size);
    const at::Tensor difference = (sum - share).masked_fill(is_none, 0);
    if (difference.abs().gt(share * kOffSum).any().item<bool>()) return false;
    const at::Tensor squares =
        head.weights.square().sum(-1, true) - head.before.slice(1, -1).square() / head.seen;
    const at::Tensor chance = (squares * share * (1 - share)).masked_fill(is_none, 0);
    off += difference.square().sum().item<double>();
    by_chance += chance.sum().item<double>();
    sums += is_none.logical_not().sum().item<std::int64_t>();
    const at::Tensor second = head.weights.slice(1, size, 2 * size);
    const at::Tensor first = head.weights.slice(1, 0, second.size(1));
    const at::Tensor is_alike = (first - second).abs().le(first * kOffSum);
    are_alike =
        are_alike && is_alike.logical_or(head.seen.lt(size + second.size(1))).all().item<bool>();
    return true;
  }
};

/// KeyParts of which the first one has its share of the weight in every row of a head that sees
/// more.
std::vector<KeyParts> possible_parts(const FirstKeys& head) {
  constexpr std::int64_t kMost = 8;
  const at::Tensor sizes = at::arange(1, head.weights.size(1) + 1);
  const at::Tensor parts = (head.seen + sizes - 1).div(sizes, "floor");  // [query, size]
  const at::Tensor is_share = (head.before.slice(1, 1) * parts - 1).abs().le(kOffSum);
  const at::Tensor most = parts.amax(0);
  const at::Tensor are_possible =
      is_share.logical_or(parts.lt(2)).all(0).logical_and(most.ge(2).logical_and(most.le(kMost)));
  const at::Tensor possible = sizes.masked_select(are_possible).contiguous();
  std::vector<KeyParts> found;
  for (std::int64_t i = 0; i < possible.numel(); ++i) {
    found.push_back({.size = possible.data_ptr<std::int64_t>()[i]});
  }
  return found;
}

std::optional<std::string> on_parts(const HeadSquares& weights, const at::Tensor& seen) {
  constexpr std::int64_t kFew = 8;
  constexpr double kClear = 20;
  std::vector<KeyParts> parts;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head = seen_weights(weights, seen, head);
    const at::Tensor is_seen = square_of(seen, head);
    const FirstKeys keys{of_head, is_seen.sum(-1, true),
                         at::constant_pad_nd(of_head.cumsum(-1), {1, 0})};
    if (!is_seen.equal(at::arange(seen.size(2)).lt(keys.seen))) return std::nullopt;
    if (head == 0) parts = possible_parts(keys);
    std::erase_if(parts, [&](KeyParts& one) { return !one.add(keys); });
    if (parts.empty()) return std::nullopt;
  }
  // Sums that chance makes are farther off.
  const auto found = std::ranges::find_if(parts, [](const KeyParts& one) {
    return one.sums >= kFew && !one.are_alike && kClear * kClear * one.off < one.by_chance;
  });
  if (found == parts.end()) return std::nullopt;
  return fmt::format(kInParts, found->size);
}

}  // namespace

std::vector<std::string> remarks_on_weights(const HeadSquares& weights, const at::Tensor& seen) {
  const Rounding& rounding = rounding_in(weights);
  std::vector<std::string> remarks;
  const auto says = [&](std::optional<std::string> remark) {
    const bool is_said = remark.has_value();
    if (is_said) remarks.push_back(*std::move(remark));
    return is_said;
  };
  says(on_identity(weights, seen));
  const bool are_columns_said =
      says(on_queries(weights, seen, rounding)) || says(on_columns(weights, seen));
  // What was said of a pattern these would say again.
  if (!are_columns_said) {
    says(remark_on_symmetry(weights, seen, rounding));
    says(remark_on_queries(weights, seen, rounding));
  }
  const bool are_parts_said =
      says(on_parts(weights, seen)) || says(remark_on_shares(weights, seen, rounding));
  if (!are_parts_said) says(remark_on_groups(weights, seen, rounding));
  says(remark_on_floor(weights, seen, rounding));
  if (!says(remark_on_means(weights, seen, rounding))) {
    says(remark_on_averages(weights, seen, rounding));
  }
  says(remark_on_twice(weights, seen, rounding));
  says(remark_on_rank(weights, seen, rounding));
  says(remark_on_diffusion(weights, seen, rounding));
  return remarks;
}

}  // namespace attn::gpt2
