#include "gpt2_check/set_size/set_size.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/set_size/growth.hpp"
#include "gpt2_check/set_size/losses.hpp"
#include "theory/base/words.hpp"

namespace attn::gpt2 {
namespace {

/// 1, 2, 4, ... below `length`.
std::vector<std::int64_t> powers_below(std::int64_t length) {
  std::vector<std::int64_t> powers;
  for (std::int64_t n = 1; n < length; n *= 2) powers.push_back(n);
  return powers;
}

constexpr Word<Ranking> kRankings[] = {{"weight", Ranking::weight},
                                       {"contribution", Ranking::contribution},
                                       {"random", Ranking::random}};

report::SetSizeCurve curve_of(Losses& losses, const LossWay& way, std::int64_t targets) {
  const bool is_random = way.ranking == Ranking::random;
  report::SetSizeCurve curve{.length = static_cast<double>(losses.length()),
                             .targets = static_cast<std::uint64_t>(targets),
                             .ranking = std::string(to_word(kRankings, way.ranking)),
                             .renormalized = way.renormalized};
  if (is_random) curve.orders = way.orders;
  const std::vector<double> whole = losses.whole(targets);
  for (const double loss : whole) curve.loss += loss / static_cast<double>(whole.size());
  std::vector<std::int64_t> grid = powers_below(losses.length());
  grid.push_back(losses.length());
  std::set<std::int64_t> tested(grid.begin(), grid.end());
  const auto grows = [&](std::int64_t n) {
    tested.insert(n);
    return relative_growth(losses.kept(way, n, targets).means, whole);
  };
  for (const double tolerance : kTolerances) {
    curve.needs.push_back(
        {.tolerance = tolerance,
         .n = static_cast<double>(least_tested(grid, tolerance, !is_random, grows))});
  }
  for (const std::int64_t n : tested) {
    const KeptLosses kept = losses.kept(way, n, targets);
    report::SetSizeLoss& loss = curve.losses.emplace_back();
    loss.n = static_cast<double>(n);
    loss.relative = relative_growth(kept.means, whole);
    if (is_random && n < losses.length()) loss.orders = kept.orders;
    loss.standard_error = kept.standard_error;
    if (const auto interval = growth_interval(kept.means, whole, way.seed)) {
      std::tie(loss.low, loss.high) = *interval;
    }
  }
  return curve;
}

/// The passes of a curve that bisects for each tolerance.
std::uint64_t passes_of_curve(std::int64_t length) {
  const std::uint64_t powers = powers_below(length).size();
  return powers + std::size(kTolerances) * (powers + 3);
}

std::uint64_t passes_at_most(const SetSizeSettings& settings) {
  std::uint64_t passes = 0;
  for (const std::int64_t length : settings.lengths) passes += 1 + passes_of_curve(length);
  // The curve of all tokens shares most of its passes with that of the targets.
  const std::int64_t longest = settings.lengths.back();
  return passes + 3 * passes_of_curve(longest) + settings.orders * powers_below(longest).size();
}

}  // namespace

SetSizeSettings set_size_settings(bool as_authors, std::int64_t tokens, std::uint64_t seed) {
  SetSizeSettings settings{.lengths = {64, 128, 256}, .targets = 32, .orders = 4, .seed = seed};
  if (as_authors)
    settings = {.lengths = {256, 512, 1024}, .targets = 128, .orders = 16, .seed = seed};
  const std::int64_t longest = std::min(tokens, settings.lengths.back());
  std::erase_if(settings.lengths, [&](std::int64_t length) { return length >= longest; });
  settings.lengths.push_back(longest);
  settings.targets = std::min(settings.targets, settings.lengths.front() - 1);
  return settings;
}

report::SetSizes measure_set_sizes(
    const Config& config, const Weights& weights, const std::vector<at::Tensor>& windows,
    const SetSizeSettings& settings,
    const std::function<void(std::uint64_t done, std::uint64_t at_most)>& show) {
  report::SetSizes sizes{.windows = windows.size(), .curves = {}, .errors = {}};
  std::uint64_t passes = 0;
  const std::uint64_t at_most = passes_at_most(settings);
  const LossWay by_weight{.ranking = Ranking::weight};
  for (const std::int64_t length : settings.lengths) {
    const bool is_longest = length == settings.lengths.back();
    const Extent extent{length, is_longest ? length - 1 : settings.targets};
    Losses losses(config, weights, windows, extent, [&] { show(++passes, at_most); });
    sizes.curves.push_back(curve_of(losses, by_weight, settings.targets));
    if (!is_longest) continue;
    for (const LossWay& way :
         {by_weight, LossWay{.ranking = Ranking::weight, .renormalized = true},
          LossWay{.ranking = Ranking::contribution},
          LossWay{.ranking = Ranking::random, .orders = settings.orders, .seed = settings.seed}}) {
      sizes.curves.push_back(curve_of(losses, way, length - 1));
    }
    const auto* const end = windows.front().data_ptr<std::int64_t>() + windows.front().numel();
    const auto first = model_run({.sha256 = {}, .config = config, .weights = layerwise(weights)},
                                 {}, {end - length, end});
    sizes.errors = mean_head_errors(*first, powers_below(length));
  }
  return sizes;
}

}  // namespace attn::gpt2
