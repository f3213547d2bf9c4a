#include "gpt2_check/set_size/losses.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <algorithm>
#include <numeric>

#include "gpt2_check/parallel/parallel.hpp"
#include "theory/base/quantile.hpp"
#include "theory/base/random.hpp"

namespace attn::gpt2 {
namespace {

double mean_of(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

std::vector<double> means_of_last(const std::vector<std::vector<double>>& windows,
                                  std::int64_t targets) {
  std::vector<double> means;
  means.reserve(windows.size());
  for (const std::vector<double>& losses : windows) {
    means.push_back(mean_of(std::span(losses).last(static_cast<std::size_t>(targets))));
  }
  return means;
}

}  // namespace

std::vector<double> token_losses(const at::Tensor& logits, const at::Tensor& tokens) {
  // So many rows of a vocabulary of 50,257 are 13 MB of doubles; all of them would be 400.
  constexpr std::int64_t kRows = 32;
  const std::int64_t last = tokens.size(0) - 1;
  const at::Tensor next = tokens.slice(0, 1).to(at::kLong);
  std::vector<double> losses(static_cast<std::size_t>(last));
  parallel((last + kRows - 1) / kRows, [&](std::int64_t block) {
    const std::int64_t start = block * kRows;
    const std::int64_t end = std::min(start + kRows, last);
    const at::Tensor of_block =
        at::cross_entropy_loss(logits.slice(0, start, end).to(at::kDouble),
                               next.slice(0, start, end), {}, at::Reduction::None)
            .to(at::kCPU);
    std::copy_n(of_block.data_ptr<double>(), end - start, losses.begin() + start);
  });
  return losses;
}

Losses::Losses(const Config& config, const Weights& weights, const std::vector<at::Tensor>& windows,
               std::int64_t length, std::function<void()> show)
    : config_(config),
      weights_(weights),
      windows_(windows),
      length_(length),
      show_(std::move(show)) {}

std::vector<double> Losses::whole(std::int64_t targets) {
  return means_of_last(pass({}), targets);
}

std::vector<double> Losses::kept(const LossWay& way, std::int64_t n, std::int64_t targets) {
  std::vector<double> sums(windows_.size(), 0.0);
  for (std::uint64_t order = 0; order < way.orders; ++order) {
    const std::vector<double> losses =
        means_of_last(pass(KeptTokens{.count = n,
                                      .ranking = way.ranking,
                                      .renormalized = way.renormalized,
                                      .seed = way.seed + order}),
                      targets);
    for (std::size_t w = 0; w < sums.size(); ++w) sums[w] += losses[w];
  }
  for (double& sum : sums) sum /= static_cast<double>(way.orders);
  return sums;
}

const std::vector<std::vector<double>>& Losses::pass(const std::optional<KeptTokens>& kept) {
  // What keeps everything is one pass, however it ranks.
  const bool changes = kept && kept->count < length_;
  const auto [place, is_new] = passes_.try_emplace(changes ? kept : std::nullopt);
  if (!is_new) return place->second;
  for (const at::Tensor& window : windows_) {
    const at::Tensor tokens = window.slice(0, window.size(0) - length_);
    place->second.push_back(
        token_losses(forward(config_, weights_, tokens, {}, changes ? &*kept : nullptr), tokens));
  }
  show_();
  return place->second;
}

double relative_growth(std::span<const double> kept, std::span<const double> whole) {
  return mean_of(kept) / mean_of(whole) - 1;
}

std::optional<std::pair<double, double>> growth_interval(std::span<const double> kept,
                                                         std::span<const double> whole,
                                                         std::uint64_t seed) {
  constexpr std::size_t kReplicates = 2000;
  const std::size_t windows = kept.size();
  if (windows < 2) return {};
  std::mt19937_64 random(seed);
  std::vector<double> replicates;
  std::vector<double> drawn_kept(windows);
  std::vector<double> drawn_whole(windows);
  for (std::size_t r = 0; r < kReplicates; ++r) {
    for (std::size_t w = 0; w < windows; ++w) {
      const std::size_t from = below(random, windows);
      drawn_kept[w] = kept[from];
      drawn_whole[w] = whole[from];
    }
    replicates.push_back(relative_growth(drawn_kept, drawn_whole));
  }
  std::ranges::sort(replicates);
  return std::pair(quantile(replicates, 0.025), quantile(replicates, 0.975));
}

std::int64_t least_tested(std::span<const std::int64_t> grid, double tolerance, bool bisects,
                          const std::function<double(std::int64_t n)>& grows) {
  const auto suffices = [&](std::int64_t n) { return grows(n) <= tolerance; };
  auto first = std::ranges::find_if(grid, suffices);
  if (first == grid.end()) first = std::prev(grid.end());
  std::int64_t enough = *first;
  if (!bisects) return enough;
  std::int64_t too_few = first == grid.begin() ? 0 : *std::prev(first);
  while (enough - too_few > 1) {
    const std::int64_t middle = std::midpoint(too_few, enough);
    (suffices(middle) ? enough : too_few) = middle;
  }
  std::int64_t least = enough;
  for (std::int64_t below = enough - 1; below >= std::max<std::int64_t>(enough - 3, 1); --below) {
    if (suffices(below)) least = below;
  }
  return least;
}

}  // namespace attn::gpt2
