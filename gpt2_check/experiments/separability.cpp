#include "gpt2_check/experiments/separability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// min_i (own_i - cross_i along_i).
ATTN_EACH_VECTOR_WIDTH double least(const double* own, const double* cross, const double* along,
                                    std::size_t tokens) {
  double best = kInfinity;
#pragma omp simd reduction(min : best)
  for (std::size_t i = 0; i < tokens; ++i) {
    const double value = own[i] - cross[i] * along[i];
    best = value < best ? value : best;
  }
  return best;
}

/// For each entry the sum of all others, without cancellation: from the left and from the right.
std::vector<double> sums_of_others(std::span<const double> values) {
  std::vector<double> sums(values.size(), 0.0);
  double left = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i] = left;
    left += values[i];
  }
  double right = 0;
  for (std::size_t i = values.size(); i-- > 0;) {
    sums[i] += right;
    right += values[i];
  }
  return sums;
}

std::vector<double> powers(std::span<const double> values, int exponent) {
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result)
    value = exponent == 2 ? value * value : value * value * value * value;
  return result;
}

/// One term of theorem2.upper.repaired, from R^2 sum a_j^2 and R^4 sum a_j^4 of the others.
double chance_within(double second, double fourth, double radius, double dimension) {
  const double squared = second * second;
  if (!(squared > 0)) return 1;
  const double spread = 1 + 2 / dimension * (1 - fourth / squared);
  const double mean = std::sqrt(second / spread);
  const double beyond = std::max(mean - radius, 0.0);
  return std::exp(-beyond * beyond / (2 * second));
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
  const double square = sphere_radius * sphere_radius;
  const std::vector<double> first = sums_of_others(weights);
  const std::vector<double> second = sums_of_others(powers(weights, 2));
  const std::vector<double> fourth = sums_of_others(powers(weights, 4));
  double reach = 0;
  double moment = 0;
  double chance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    reach += sphere_radius * first[i];
    moment += square * second[i];
    chance += chance_within(square * second[i], square * square * fourth[i], radius,
                            static_cast<double>(dimension));
  }
  // 1 - x/r is at least 0 only where x <= r; so r = 0 leaves 0, but for x = 0.
  const auto above = [](double x, double r) { return x < r ? 1 - x / r : (x > 0 ? 0.0 : 1.0); };
  return {.lower = above(reach / n, radius),
          .lower_sharp = above(moment / n, radius * radius),
          .upper = chance / n};
}

DistinguishableShare::DistinguishableShare(std::span<const double> weights,
                                           std::span<const double> squares) {
  own_.reserve(weights.size());
  cross_.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    own_.push_back(weights[i] * weights[i] * squares[i]);
    cross_.push_back(2 * weights[i]);
  }
}

/// Compares ||a_i x_i - s||^2 - ||s||^2. The selected tokens are put out of the way of the minimum
/// and back again, which spares a mask over all tokens.
NearShares DistinguishableShare::of(std::span<const std::size_t> selected,
                                    std::span<const double> along) {
  const bool holds_first = std::ranges::find(selected, std::size_t{0}) != selected.end();
  kept_.clear();
  for (const std::size_t j : selected) {
    kept_.push_back(own_[j]);
    own_[j] = kInfinity;
  }
  const double first = own_[0] - cross_[0] * along[0];
  const double nearest =
      least(own_.data() + 1, cross_.data() + 1, along.data() + 1, own_.size() - 1);
  std::size_t within = 0;
  std::size_t within_rest = 0;
  for (std::size_t k = 0; k < selected.size(); ++k) {
    const std::size_t j = selected[k];
    own_[j] = kept_[k];
    const double value = own_[j] - cross_[j] * along[j];
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
