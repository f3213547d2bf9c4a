#include <ATen/TensorOperators.h>
#include <ATen/ops/_unique.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

constexpr std::int64_t kFew = 8;

/// The scores of a head [query, key], float64, with `hidden` in the place of those that no query
/// sees.
at::Tensor scores_of(const HeadSquares& scores, const at::Tensor& seen, std::int64_t head,
                     double hidden) {
  const at::Tensor of_head = square_of(seen, head);
  return scores[head].to(at::kDouble).masked_fill(of_head.logical_not(), hidden);
}

/// How many rows hold several scores of 0; 0 where other scores of a head are the same too, as
/// those of few bits, or of tokens that come again, are.
std::int64_t rows_of_several_zeros(const HeadSquares& scores, const at::Tensor& seen) {
  constexpr std::int64_t kMost = 65'536, kHardlySame = 1000;
  std::int64_t rows = 0;
  for (std::int64_t head = 0; head < scores.heads(); ++head) {
    const at::Tensor of_head = scores_of(scores, seen, head, -kInfinity);
    const at::Tensor is_other = of_head.isfinite().logical_and(of_head.ne(0));
    const at::Tensor others = of_head.masked_select(is_other).slice(0, 0, kMost);
    const std::int64_t same = others.numel() - std::get<0>(at::_unique(others)).numel();
    if (kHardlySame * same > others.numel()) return 0;
    rows += of_head.eq(0).sum(-1).gt(1).sum().item<std::int64_t>();
  }
  return rows;
}

/// The sums of e^x over the scores x of rows, whether they are one sum.
struct SumsOfRows {
  double least{kInfinity}, most{-kInfinity};              ///< logarithms of the sums
  double least_other{kInfinity}, most_other{-kInfinity};  ///< logarithms of sums of e^2x

  /// `of_head` [row, key], -infinity where a key is hidden; `counts`: by what the sums of each row
  /// are divided, the logarithm.
  void add(const at::Tensor& of_head, const at::Tensor& counts) {
    if (of_head.size(0) == 0) return;
    const at::Tensor sums = of_head.logsumexp(-1) - counts;
    const at::Tensor others = (2 * of_head).logsumexp(-1) - counts;
    least = std::min(least, sums.min().item<double>());
    most = std::max(most, sums.max().item<double>());
    least_other = std::min(least_other, others.min().item<double>());
    most_other = std::max(most_other, others.max().item<double>());
  }
  [[nodiscard]] bool may_be_alike() const { return most - least <= kOffSum; }
  [[nodiscard]] bool are_one() const { return std::max(most, -least) <= kOffSum; }
  /// Whether the sums are alike, and those of e^2x are not, as they are of rows that are level or
  /// have the same numbers.
  [[nodiscard]] bool are_alike() const {
    constexpr double kClear = 30;
    return may_be_alike() && most_other - least_other >= kClear * kOffSum;
  }
};

std::optional<std::string> on_shift(const HeadSquares& scores, const at::Tensor& seen) {
  std::int64_t rows = 0;
  bool are_largest = true;
  bool are_of_own = true;  // as where scores are distances, below 0
  SumsOfRows sums, means;
  const std::int64_t shift = seen.size(2) - seen.size(1);
  for (std::int64_t head = 0; head < scores.heads(); ++head) {
    if (!are_largest && !sums.may_be_alike() && !means.may_be_alike()) return std::nullopt;
    const at::Tensor of_head = scores_of(scores, seen, head, -kInfinity);
    const at::Tensor most = of_head.amax(-1);
    const at::Tensor is_uneven = most.gt(scores_of(scores, seen, head, kInfinity).amin(-1));
    const auto are_all = [&](const at::Tensor& is_true) {
      return is_true.logical_or(is_uneven.logical_not()).all().item<bool>();
    };
    rows += is_uneven.sum().item<std::int64_t>();
    are_of_own = are_of_own && shift >= 0 && are_all(of_head.diagonal(shift).eq(most));
    are_largest = are_largest && are_all(most.eq(0));
    const at::Tensor uneven = of_head.index_select(0, is_uneven.nonzero().flatten());
    const at::Tensor counts = uneven.gt(-kInfinity).sum(-1, false, at::kDouble).log();
    sums.add(uneven, at::zeros_like(counts));
    means.add(uneven, counts);
  }
  if (rows < kFew) return std::nullopt;
  if (are_largest && !are_of_own) {
    const std::int64_t several = rows_of_several_zeros(scores, seen);
    return several < kFew ? kLargestIsZero : fmt::format(kLargestOfBlocks, several);
  }
  if (sums.are_one() || sums.are_alike()) {
    return fmt::format(kLogarithms, std::exp(std::midpoint(sums.least, sums.most)));
  }
  return means.are_one() && means.are_alike() ? std::optional<std::string>(kLogarithmsOfMeans)
                                              : std::nullopt;
}

/// Whole numbers of a layer.
struct WholeNumbers {
  double largest{}, least{};
  std::int64_t numbers{};    ///< how many are not 0
  std::int64_t different{};  ///< how many a head has, of all heads
  std::int64_t pairs{};      ///< how many have one of the query and the key before
  std::int64_t same{};       ///< how many of these are of one number, as distances are

  void add(const at::Tensor& of_head) {
    largest = std::max(largest, of_head.max().item<double>());
    least = std::min(least, of_head.min().item<double>());
    numbers += of_head.ne(0).sum().item<std::int64_t>();
    different += std::get<0>(at::_unique(of_head)).numel();
    const at::Tensor next = of_head.slice(0, 1).slice(1, 1);
    const at::Tensor before = of_head.slice(0, 0, -1).slice(1, 0, -1);
    pairs += next.ne(0).sum().item<std::int64_t>();
    same += next.eq(before).logical_and(next.ne(0)).sum().item<std::int64_t>();
  }
  [[nodiscard]] bool are_products() const {
    constexpr double kLarge = 300;
    // Scores that are made to be whole numbers have few of them.
    return std::max(largest, -least) >= kLarge && 5 * different >= numbers;
  }
  [[nodiscard]] bool are_codes(std::int64_t heads) const {
    constexpr std::int64_t kMany = 16;
    const bool are_full = largest <= 127 && least >= -128 && (largest == 127 || least <= -127);
    return are_full && different >= kMany * heads && 2 * same <= pairs;
  }
};

std::optional<std::string> on_codes(const HeadSquares& scores, const at::Tensor& seen) {
  WholeNumbers all;
  for (std::int64_t head = 0; head < scores.heads(); ++head) {
    const at::Tensor of_head = scores_of(scores, seen, head, 0);
    if (of_head.ne(of_head.round()).any().item<bool>()) return std::nullopt;
    all.add(of_head);
  }
  if (all.are_products()) return kWholeScores;
  return all.are_codes(scores.heads()) ? std::optional<std::string>(kCodes) : std::nullopt;
}

/// The largest scores, or the least, of a layer.
struct Limit {
  double value{};
  std::int64_t times{};             ///< how many there are
  double nearest{kInfinity};        ///< how far the nearest other is
  bool are_others_different{true};  ///< whether others of their heads are hardly the same

  void add(const at::Tensor& of_head) {
    constexpr std::int64_t kMost = 65'536;  // to compare: of fewer bits many are the same by then
    const at::Tensor is_here = of_head.eq(value);
    const at::Tensor others = of_head.masked_select(is_here.logical_not());
    if (others.numel() > 0) {
      nearest = std::min(nearest, (others - value).abs().min().item<double>());
    }
    if (others.numel() == of_head.numel()) return;
    times += of_head.numel() - others.numel();
    const at::Tensor some = others.slice(0, 0, kMost);
    const std::int64_t different = std::get<0>(at::_unique(some)).numel();
    are_others_different = are_others_different && 2 * different > some.numel();
  }
};

/// Whether each query's own key has a score, and no other, as where scores are distances.
bool are_own_keys(const HeadSquares& scores, const at::Tensor& seen, double value) {
  const std::int64_t own = seen.size(2) - seen.size(1);
  if (own < 0) return false;
  for (std::int64_t head = 0; head < scores.heads(); ++head) {
    const at::Tensor is_seen = square_of(seen, head);
    const at::Tensor is_there = scores[head].eq(value).logical_and(is_seen);
    const at::Tensor of_own = is_there.diagonal(own);
    if (!of_own.eq(is_seen.diagonal(own)).all().item<bool>()) return false;
    if (is_there.sum().item<std::int64_t>() != of_own.sum().item<std::int64_t>()) return false;
  }
  return true;
}

std::optional<std::string> on_limits(const HeadSquares& scores, const at::Tensor& seen) {
  constexpr double kNear = 0.1;  // of the range: what hides a key lies farther below
  const auto seen_of = [&](std::int64_t head) {
    return scores[head].to(at::kDouble).masked_select(square_of(seen, head));
  };
  Limit largest{-kInfinity}, least{kInfinity};
  for (std::int64_t head = 0; head < scores.heads(); ++head) {
    const at::Tensor of_head = seen_of(head);
    if (of_head.numel() == 0) continue;
    largest.value = std::max(largest.value, of_head.max().item<double>());
    least.value = std::min(least.value, of_head.min().item<double>());
  }
  const double near = kNear * (largest.value - least.value);
  for (const auto& [limit, words] : {std::pair{&largest, "largest"}, std::pair{&least, "least"}}) {
    for (std::int64_t head = 0; head < scores.heads(); ++head) limit->add(seen_of(head));
    const bool is_rounded = limit->value == 1;  // a sigmoid's that comes near it
    const bool is_clipped =
        limit->times >= kFew && limit->nearest <= near && limit->are_others_different;
    if (!is_clipped || is_rounded || are_own_keys(scores, seen, limit->value)) continue;
    return fmt::format(kClipped, words, limit->value + 0.0);  // -0 is 0
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> remark_on_scores(const HeadSquares& scores, const at::Tensor& seen) {
  if (auto codes = on_codes(scores, seen)) return codes;
  if (auto shift = on_shift(scores, seen)) return shift;
  if (auto reference = remark_on_reference(scores, seen)) return reference;
  return on_limits(scores, seen);
}

}  // namespace attn::gpt2
