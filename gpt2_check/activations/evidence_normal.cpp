#include "gpt2_check/activations/evidence_normal.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "gpt2_check/activations/evidence_base.hpp"
#include "gpt2_check/activations/first_rows.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/source.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

using By = Evidence::Normalised::By;
using Of = Evidence::Normalised::Of;

/// Scores of a head in groups: its rows, its columns, or all of them.
struct Groups {
  at::Tensor numbers;  ///< [group, number], 0 where they are not seen
  at::Tensor is_seen;  ///< [group, number], booleans

  [[nodiscard]] at::Tensor counts() const { return is_seen.sum(1, false, at::kDouble); }
  [[nodiscard]] at::Tensor most() const {
    return numbers.masked_fill(is_seen.logical_not(), -kInfinity).amax(1);
  }
  [[nodiscard]] at::Tensor least() const {
    return numbers.masked_fill(is_seen.logical_not(), kInfinity).amin(1);
  }
  /// [group], booleans: whether the median is 0 and the difference of the quartiles 1, as linear
  /// interpolation has these, but for rounding to 24 bits, while few numbers of the group are the
  /// same, as whole numbers are.
  [[nodiscard]] at::Tensor have_quartiles() const {
    constexpr double kRounding = 0x1p-20;
    const at::Tensor sorted =
        std::get<0>(numbers.masked_fill(is_seen.logical_not(), kInfinity).sort(1));
    const auto quantile = [&](double part) {
      const at::Tensor place = (counts() - 1).mul(part).unsqueeze(1), before = place.floor();
      const at::Tensor low = sorted.gather(1, before.to(at::kLong));
      const at::Tensor high = sorted.gather(1, place.ceil().to(at::kLong));
      return (low + (high - low) * (place - before)).squeeze(1);
    };
    const at::Tensor off = numbers.abs().amax(1) * kRounding;
    const at::Tensor are_different =
        (sorted.slice(1, 1) > sorted.slice(1, 0, -1)).sum(1).mul(2).ge(counts());
    const at::Tensor is_range_one = (quantile(0.75) - quantile(0.25) - 1).abs().le(off);
    return quantile(0.5).abs().le(off).logical_and(is_range_one).logical_and(are_different);
  }
  /// By how much the sum of a group differs from another's by chance: of as many numbers that are
  /// as far from the mean of their place in all groups as these are.
  [[nodiscard]] at::Tensor noise() const {
    const at::Tensor means = numbers.sum(0) / is_seen.sum(0, false, at::kDouble).clamp_min(1);
    return (numbers - means).masked_fill(is_seen.logical_not(), 0).norm(2, 1);
  }
  /// By how much it differs so without a number of each group that is far from all others, as a
  /// mask puts in the place of one: from the median of their place, and without the farthest.
  [[nodiscard]] at::Tensor noise_of_most() const {
    const at::Tensor hidden = is_seen.logical_not();
    const at::Tensor medians = std::get<0>(numbers.masked_fill(hidden, NAN).nanmedian(0));
    const at::Tensor squares = (numbers - medians).masked_fill(hidden, 0).square();
    return (squares.sum(1) - squares.amax(1)).clamp_min(0).sqrt();
  }
};

/// Whether all groups of a kind, of all heads, have something alike that none has by chance.
class Alike {
 public:
  explicit Alike(Of of) : of_(of) {}

  /// Whether what was added so far has something alike.
  [[nodiscard]] bool is_possible() const {
    return of_all_ || of_others_ || are_sums_ || are_lengths_ || are_roots_ || are_largest_ ||
           are_odds_ || have_quartiles_;
  }

  void add(const Groups& all) {
    const at::Tensor is_read = all.is_seen.logical_and(all.numbers.ne(0))
                                   .sum(1)
                                   .ge(2)
                                   .logical_and(all.most().gt(all.least()));
    const at::Tensor which = is_read.nonzero().flatten();
    const Groups groups{all.numbers.index_select(0, which), all.is_seen.index_select(0, which)};
    if (which.numel() == 0) return;
    groups_ += which.numel();
    add_sums(groups, all, which);
    const at::Tensor counts = groups.counts(), squares = groups.numbers.square().sum(1);
    const auto are_one = [&](const at::Tensor& values) {
      return (values - 1).abs().le(2 * off()).all().item<bool>();
    };
    const bool are_means_zero = (groups.numbers.sum(1) / counts).abs().le(off()).all().item<bool>();
    of_all_ = of_all_ && are_means_zero && are_one(squares / counts);
    of_others_ = of_others_ && are_means_zero && are_one(squares / (counts - 1));
    are_lengths_ = are_lengths_ && are_one(squares);
    are_roots_ = are_roots_ && are_one(squares / counts);
    const at::Tensor sizes = groups.numbers.abs();
    are_largest_ = are_largest_ && sizes.amax(1).eq(1).all().item<bool>();
    ones_ += sizes.eq(1).sum().item<std::int64_t>();
    have_quartiles_ = have_quartiles_ && groups.have_quartiles().all().item<bool>();
    are_odds_ = are_odds_ && of_ == Of::rows &&
                are_one(groups.numbers.sigmoid().mul(groups.is_seen).sum(1));
  }

  [[nodiscard]] std::optional<Evidence::Normalised> finding() const {
    const bool is_of_heads = of_ == Of::heads;
    if (groups_ < (is_of_heads ? kFewHeads : kMany)) return std::nullopt;
    const auto by = [&](By what) { return Evidence::Normalised{.by = what, .of = of_}; };
    if (of_all_ || of_others_) return by(By::deviation);
    if (are_sums_ && !is_of_heads && sum_) {
      const bool is_zero = std::abs(*sum_) <= kNear * noise_;
      const bool are_shares = is_zero && most_ <= 1 && least_share_ >= -1 - kOffSum;
      return Evidence::Normalised{.by = are_shares    ? By::centred
                                        : is_zero     ? By::zero_sum
                                        : least_ >= 0 ? By::weights
                                                      : By::sum_of_all,
                                  .of = of_,
                                  .sum = *sum_};
    }
    const bool are_few_ones = 4 * ones_ <= 5 * groups_;  // unlike numbers of few bits
    if ((are_lengths_ || are_roots_) && are_few_ones) return by(By::length);
    if (are_largest_ && are_few_ones) return by(By::largest);
    if (have_quartiles_) return by(By::quartiles);
    if (are_odds_) return by(By::odds);
    return std::nullopt;
  }

 private:
  static constexpr std::int64_t kMany = 8, kFewHeads = 3;
  static constexpr double kNear = 0.1;  ///< times the noise it is no distance

  [[nodiscard]] double off() const { return of_ == Of::heads ? 1e-3 : kOffSum; }

  /// `which`: the groups among all.
  void add_sums(const Groups& groups, const Groups& all, const at::Tensor& which) {
    constexpr std::int64_t kFew = 3;
    const at::Tensor sums = groups.numbers.sum(1);
    const double range = (sums.max() - sums.min()).item<double>();
    const auto mean_of = [&](const at::Tensor& noise) {
      return noise.index_select(0, which).mean().item<double>();
    };
    are_sums_ = are_sums_ && sums.numel() >= kFew && range < kNear * mean_of(all.noise());
    if (!are_sums_) return;
    const double chance = mean_of(all.noise_of_most());  // dearer
    are_sums_ = range < kNear * chance;
    if (!sum_) {
      sum_ = sums.mean().item<double>();
      noise_ = chance;
    }
    most_ = std::max(most_, groups.most().max().item<double>());
    least_ = std::min(least_, groups.least().min().item<double>());
    least_share_ = std::min(least_share_, (groups.least() * groups.counts()).min().item<double>());
  }

  Of of_;
  std::int64_t groups_{}, ones_{};
  bool of_all_{true};     ///< whether the means are 0 and the deviations 1
  bool of_others_{true};  ///< whether they are where these are of one number less
  bool are_sums_{true}, are_lengths_{true}, are_roots_{true}, are_largest_{true}, are_odds_{true};
  bool have_quartiles_{true};
  std::optional<double> sum_;  ///< the mean sum of a group of the first head
  double noise_{};             ///< the mean noise of its groups
  double most_{-kInfinity}, least_{kInfinity};
  double least_share_{kInfinity};  ///< the least number by how many its group has
};

/// Whether what normalises scores of all heads together does so: each key's, or all of the layer.
class AlikeOverHeads {
 public:
  /// The columns of the next head.
  void add(const Groups& columns) {
    constexpr double kNear = 1e-3;  // as a sigmoid or tanh comes near to 1
    const at::Tensor sizes = columns.numbers.abs();
    const Sums of_head{columns.counts(),
                       columns.numbers.sum(1),
                       columns.numbers.square().sum(1),
                       sizes.amax(1),
                       (sizes - 1).abs().le(kNear).sum(),
                       columns.numbers.lt(0).sum()};
    sums_ = sums_ ? sums_->with(of_head) : of_head;
  }

  [[nodiscard]] std::optional<Evidence::Normalised> finding() const {
    constexpr std::int64_t kManyKeys = 8;
    constexpr double kManyNumbers = 32;
    constexpr double kOff = 1e-3, kOffAll = 1e-4;  // of one group chance is more
    if (!sums_) return std::nullopt;
    const Sums keys = sums_->of_several(), all = sums_->of_all();
    const auto by_keys = keys.counts.numel() >= kManyKeys ? keys.by(kOff) : std::nullopt;
    if (by_keys) return Evidence::Normalised{.by = *by_keys, .of = Of::keys};
    const bool are_many = all.counts.item<double>() >= kManyNumbers;
    const auto by_all = are_many ? all.by(kOffAll) : std::nullopt;
    if (by_all) return Evidence::Normalised{.by = *by_all, .of = Of::layer};
    return std::nullopt;
  }

 private:
  /// What groups of numbers, one for each place, add up to.
  struct Sums {
    at::Tensor counts, numbers, squares, largest;
    at::Tensor ones;      ///< how many numbers of all groups are of about the size 1
    at::Tensor negative;  ///< how many numbers of all groups are below 0

    [[nodiscard]] Sums with(const Sums& other) const {
      return {counts + other.counts,   numbers + other.numbers,
              squares + other.squares, at::maximum(largest, other.largest),
              ones + other.ones,       negative + other.negative};
    }
    [[nodiscard]] Sums of_several() const {
      const at::Tensor which = counts.ge(2).nonzero().flatten();
      const auto of = [&](const at::Tensor& sums) { return sums.index_select(0, which); };
      return {of(counts), of(numbers), of(squares), of(largest), ones, negative};
    }
    [[nodiscard]] Sums of_all() const {
      return {counts.sum(0, true),
              numbers.sum(0, true),
              squares.sum(0, true),
              largest.amax(0, true),
              ones,
              negative};
    }
    [[nodiscard]] std::optional<By> by(double off) const {
      const auto are_near = [&](const at::Tensor& values, double value) {
        return (values - value).abs().le(off).all().item<bool>();
      };
      const double of_size_one = ones.item<double>();
      const bool are_means_zero = are_near(numbers / counts, 0);
      const bool are_deviations_one =
          are_near(squares / counts, 1) || are_near(squares / (counts - 1), 1);
      const bool are_signs = 2 * of_size_one > counts.sum().item<double>();
      if (are_means_zero && are_deviations_one && !are_signs) return By::deviation;
      const bool are_few_ones = 4 * of_size_one <= 5 * static_cast<double>(counts.numel());
      // Weights, which are scaled alike, have none below 0.
      const bool are_of_both_signs = 8 * negative.item<double>() >= counts.sum().item<double>();
      const bool are_largest =
          are_few_ones && are_of_both_signs && largest.eq(1).all().item<bool>();
      return are_largest ? std::optional(By::largest) : std::nullopt;
    }
  };

  std::optional<Sums> sums_;  ///< one group for each key
};

/// Whether the numbers of a layer are of more than 16 bits, of which few are 1 by chance.
bool is_exact(const LayerNumbers& layer) {
  return rounding_of_seen(layer) <= rounding_of(at::kFloat).relative;
}

/// The groups, or where they are more than kShowingQueries some of them, evenly apart.
Groups some_of(const Groups& all) {
  const std::int64_t count = all.numbers.size(0);
  const std::int64_t step = (count + kShowingQueries - 1) / kShowingQueries;
  return {all.numbers.slice(0, 0, count, step), all.is_seen.slice(0, 0, count, step)};
}

}  // namespace

std::optional<Evidence::Normalised> normalised(const LayerNumbers& layer, bool is_causal) {
  // Numbers that are looked at together: of more it takes long, and many copies.
  constexpr std::int64_t kMost = 4'000'000;
  const std::int64_t of_head = layer.queries * layer.keys;
  const bool are_few = layer.heads * of_head <= kMost;
  Alike of_rows(Of::rows), of_columns(Of::columns), of_heads(Of::heads);
  const auto are_heads_possible = [&] { return of_head <= kMost && of_heads.is_possible(); };
  const auto is_any_possible = [&] {
    return of_rows.is_possible() || of_columns.is_possible() || are_heads_possible();
  };
  AlikeOverHeads over_heads;
  for (std::int64_t head = 0; head < layer.heads && (are_few || is_any_possible()); ++head) {
    at::Tensor is_seen = layer.said_of(head).logical_or(layer.marked(head)).logical_not();
    if (is_causal) is_seen = is_seen.tril(layer.keys - layer.queries);
    const at::Tensor numbers = layer.square(head).masked_fill(is_seen.logical_not(), 0);
    const Groups rows{numbers, is_seen}, columns{numbers.t(), is_seen.t()};
    if (of_rows.is_possible()) of_rows.add(some_of(rows));
    if (of_columns.is_possible()) of_columns.add(some_of(columns));
    if (are_heads_possible()) {
      of_heads.add({numbers.reshape({1, -1}), is_seen.reshape({1, -1})});
    }
    if (are_few) over_heads.add(columns);
  }
  for (const Alike* const kind : {&of_rows, &of_columns, &of_heads}) {
    if (const auto found = kind->finding()) return found;
  }
  const auto found = over_heads.finding();
  return found && (found->by != By::largest || is_exact(layer)) ? found : std::nullopt;
}

}  // namespace attn::gpt2
