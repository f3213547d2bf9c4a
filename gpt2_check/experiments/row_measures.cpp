#include "gpt2_check/experiments/row_measures.hpp"

#include <algorithm>

#include "theory/attention/separability.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

namespace {

/// ||a_i x_i - s||^2 - ||s||^2, given a_i^2 ||x_i||^2.
inline double above(double own, double weight, double along) {
  return own - 2 * weight * along;
}

ATTN_EACH_VECTOR_WIDTH double least_above(const double* own, const double* weights,
                                          const double* along, std::size_t tokens) {
  Lanes best = Lanes::all(kInfinity);
  in_lanes(tokens, [&](std::size_t i, std::size_t lane) {
    const double value = above(own[i], weights[i], along[i]);
    best.at[lane] = value < best.at[lane] ? value : best.at[lane];
  });
  return best.least();
}

}  // namespace

Scores scores(const Neighbourhood& near, std::size_t n) {
  const auto selected = static_cast<double>(n);
  Scores s{.share = static_cast<double>(near.within) / selected,
           .precision = selected / (selected + static_cast<double>(near.intruders)),
           .recall = static_cast<double>(near.inside) / selected,
           .f_score = 0};
  const double sum = s.precision + s.recall;
  if (sum > 0) s.f_score = 2 * s.precision * s.recall / sum;
  return s;
}

ShareBounds theorem2_bounds(std::span<const double> weights, double sphere_radius, double radius,
                            std::size_t dimension) {
  const auto n = static_cast<double>(weights.size());
  std::vector<double> squares;
  squares.reserve(weights.size());
  double mass = 0;
  for (const double a : weights) {
    squares.push_back(sphere_radius * a * (sphere_radius * a));
    mass += a;
  }
  const double mean_reach = sphere_radius * mass * ((n - 1) / n);  // of what the others weigh
  double outside = 0;
  double inside = 0;
  const double allowed = radius * radius;
  for (const PowerSums<double>& others : sums_without_one(squares)) {
    const double mean = others.first;
    const SquaredOffset<ErrorDouble> x{
        .mean = mean,
        .variance = 4 / static_cast<double>(dimension) * others.pairs,
        .allowed = allowed,
        .side = (mean > allowed) - (mean < allowed)};
    // Else X_i^2 does not vary, and the token is s itself where its mean is 0.
    const bool varies = x.variance.value() > 0;
    outside += mean > 0 && (varies || x.side >= 0) ? chance_beyond(x).value() : 0;
    inside += varies || x.side <= 0 ? chance_within(x).value() : 0;
  }
  // 1 - x/r is at least 0 only where x <= r; so r = 0 leaves 0, but for x = 0.
  const auto above = [](double x, double r) { return x < r ? 1 - x / r : (x > 0 ? 0.0 : 1.0); };
  return {.lower = above(mean_reach, radius), .lower_sharp = 1 - outside / n, .upper = inside / n};
}

/// The selected tokens are put out of the way of the minimum and back again, which spares a mask
/// over all tokens.
NearShares DistinguishableShare::of(std::span<const std::size_t> selected,
                                    std::span<const double> along) {
  const bool holds_first = std::ranges::find(selected, std::size_t{0}) != selected.end();
  double* const own = own_.data();
  const auto above_of = [&](std::size_t i) { return above(own[i], weights_[i], along[i]); };
  kept_.clear();
  for (const std::size_t j : selected) {
    kept_.push_back(own[j]);
    own[j] = kInfinity;
  }
  const double first = above_of(0);
  const double nearest =
      least_above(own + 1, weights_.data() + 1, along.data() + 1, weights_.size() - 1);
  std::size_t within = 0;
  std::size_t within_rest = 0;
  for (std::size_t k = 0; k < selected.size(); ++k) {
    const std::size_t j = selected[k];
    own[j] = kept_[k];
    const double value = above_of(j);
    within_rest += value <= nearest ? 1 : 0;
    within += value <= nearest && value <= first ? 1 : 0;
  }
  const auto n = static_cast<double>(selected.size());
  if (selected.size() == 1) return {1, holds_first ? std::optional<double>() : 1};  // s itself
  NearShares shares{.all = static_cast<double>(within) / n, .without_first = {}};
  if (!holds_first) shares.without_first = static_cast<double>(within_rest) / n;
  return shares;
}

}  // namespace attn::gpt2
