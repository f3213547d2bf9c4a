#include "gpt2_check/set_size/losses.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/set_size/growth.hpp"
#include "reports/judge/intervals.hpp"

namespace attn::gpt2 {
namespace {

/// Bytes of keys and values that are held for changed passes to share: those of six windows of
/// GPT-2 124M. Of further windows every pass computes all rows.
constexpr std::size_t kMostShared = std::size_t{512} << 20U;

std::vector<double> means_of_last(const std::vector<std::vector<double>>& windows,
                                  std::int64_t targets) {
  std::vector<double> means;
  means.reserve(windows.size());
  for (const std::vector<double>& losses : windows) {
    means.push_back(report::mean_of(std::span(losses).last(static_cast<std::size_t>(targets))));
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
               Extent extent, std::function<void()> show)
    : config_(config),
      weights_(weights),
      windows_(windows),
      extent_(extent),
      show_(std::move(show)) {}

std::vector<double> Losses::whole(std::int64_t targets) {
  return means_of_last(whole_pass(), targets);
}

KeptLosses Losses::kept(const LossWay& way, std::int64_t n, std::int64_t targets) {
  const std::vector<double> whole = this->whole(targets);
  if (n >= extent_.length) return {.means = whole};  // one pass, however it ranks
  KeptLosses found{.means = std::vector(windows_.size(), 0.0)};
  std::vector<double> growths;
  do {
    const std::vector<double> losses = means_of_last(pass({.count = n,
                                                           .ranking = way.ranking,
                                                           .renormalized = way.renormalized,
                                                           .seed = way.seed + growths.size()}),
                                                     targets);
    for (std::size_t w = 0; w < losses.size(); ++w) found.means[w] += losses[w];
    growths.push_back(relative_growth(losses, whole));
  } while (growths.size() < way.orders && !are_enough_orders(growths));
  found.orders = growths.size();
  for (double& mean : found.means) mean /= static_cast<double>(found.orders);
  if (found.orders == 1) return found;
  if (const double error = standard_error(growths); std::isfinite(error)) {
    found.standard_error = error;
  }
  return found;
}

at::Tensor Losses::tokens_of(const at::Tensor& window) const {
  return window.slice(0, window.size(0) - extent_.length);
}

const Losses::OfWindows& Losses::whole_pass() {
  if (!whole_.empty()) return whole_;
  std::size_t shared = 0;
  for (const at::Tensor& window : windows_) {
    const at::Tensor tokens = tokens_of(window);
    WholePass pass = gpt2::whole_pass(config_, weights_, tokens);
    whole_.push_back(token_losses(pass.logits, tokens));
    for (const KeysValues& layer : pass.layers) shared += layer.k.nbytes() + layer.v.nbytes();
    if (shared > kMostShared) pass.layers.clear();
    layers_.push_back(std::move(pass.layers));
  }
  show_();
  return whole_;
}

const Losses::OfWindows& Losses::pass(const KeptTokens& kept) {
  const auto [place, is_new] = passes_.try_emplace(kept);
  if (!is_new) return place->second;
  place->second = whole_pass();
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const at::Tensor tokens = tokens_of(windows_[w]);
    const at::Tensor logits =
        forward_kept(config_, weights_, tokens, kept, layers_[w], extent_.targets + 1);
    const std::vector<double> changed =
        token_losses(logits, tokens.slice(0, tokens.size(0) - logits.size(0)));
    std::ranges::copy_backward(changed, place->second[w].end());
  }
  show_();
  return place->second;
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
