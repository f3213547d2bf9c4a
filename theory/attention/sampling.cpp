#include "theory/attention/sampling.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// With what probability each of the intervals may miss.
constexpr double kMiss = (1 - kConfidence) / static_cast<double>(kStages.size());

std::mt19937_64 stream(std::size_t a, std::size_t b) {
  std::seed_seq sequence{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
  return std::mt19937_64(sequence);
}

// Boost's distributions draw the same numbers from an engine everywhere; those of the standard
// library may differ from one implementation to the next.

/// Uniform in [0, n).
std::size_t below(std::mt19937_64& random, std::size_t n) {
  return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

/// Uniform in (0, 1], a multiple of 2^-53.
double unit(std::mt19937_64& random) {
  return static_cast<double>((random() >> 11) + 1) * 0x1p-53;
}

/// One coordinate of a uniform direction in R^d. The first two together are R (cos, sin) of a
/// uniform angle, where R^2 has the distribution Beta(1, (d-2)/2): 1 - u^(2/(d-2)) of a uniform u.
double coordinate(std::mt19937_64& random, std::size_t d) {
  if (d == 1) return below(random, 2) == 0 ? -1 : 1;
  const double angle = 2 * std::numbers::pi * unit(random);
  if (d == 2) return std::cos(angle);
  const double power = 2 / static_cast<double>(d - 2);
  return std::sqrt(-std::expm1(power * std::log(unit(random)))) * std::cos(angle);
}

/// How far a mean of n values of [0, most] is from its expectation, on one side: Maurer and Pontil,
/// Empirical Bernstein bounds, Theorem 4.
double bernstein(double variance, double most, std::size_t draws) {
  const double log_term = std::log(4 / kMiss);
  const auto n = static_cast<double>(draws);
  return std::sqrt(2 * variance * log_term / n) + 7 * most * log_term / (3 * (n - 1));
}

double variance_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace

std::size_t sets_of(std::size_t n, std::size_t k) {
  std::size_t count = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    count = count * (n - i + 1) / i;
    if (count > kMostSets) return count;
  }
  return count;
}

bool is_enumerated(std::size_t tokens, std::size_t count, std::size_t width) {
  const std::size_t sets = sets_of(tokens, count);
  return sets <= kMostSets && sets * tokens * width <= kMostAdded;
}

SampledDistance::SampledDistance(const std::vector<std::vector<ErrorDouble>>& y, std::size_t count)
    : random_(stream(y.size(), count)), count_(count), tokens_(y.size()) {
  std::iota(tokens_.begin(), tokens_.end(), std::size_t{0});
  y_.resize(static_cast<Eigen::Index>(y.size()), static_cast<Eigen::Index>(y.front().size()));
  std::vector<double> lengths;
  ErrorDouble all;
  ErrorDouble errors;
  for (std::size_t i = 0; i < y.size(); ++i) {
    ErrorDouble squared;
    for (std::size_t k = 0; k < y[i].size(); ++k) {
      y_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = y[i][k].value();
      squared += square(y[i][k]);
      errors += ErrorDouble(y[i][k].error());
    }
    lengths.push_back(sqrt_nonnegative(squared).upper());
    all += ErrorDouble(lengths.back());
  }
  std::ranges::sort(lengths, std::greater<>());
  ErrorDouble of_largest;
  for (std::size_t i = 0; i < count; ++i) of_largest += ErrorDouble(lengths[i]);
  const ErrorDouble outside(static_cast<double>(y.size() - count));
  most_ = (all + outside * of_largest).upper();
  // D moves by at most (L-N+1) times what the y_i move by. Every length is computed from sums of at
  // most N terms and of d squares, and the mean from sums of at most L and of all draws: each
  // rounding adds at most u of what D can be. The last term is for underflow.
  const auto terms = static_cast<double>(y.size() + y.front().size() + kStages.back() + 16);
  const ErrorDouble inherited = (outside + ErrorDouble(1.0)) * errors;
  constexpr double kUnderflow = 0x1p-500;
  rounding_ = (inherited + ErrorDouble(2 * terms * ErrorDouble::kUnit) * ErrorDouble(most_) +
               ErrorDouble(terms * terms * kUnderflow))
                  .upper();
  draw_more();
}

/// D of a set drawn at random, the first `count_` of the tokens then.
double SampledDistance::draw_distance() {
  for (std::size_t i = 0; i < count_; ++i) {
    std::swap(tokens_[i], tokens_[i + below(random_, tokens_.size() - i)]);
  }
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y_.cols());
  for (std::size_t j = 0; j < count_; ++j) s += y_.row(static_cast<Eigen::Index>(tokens_[j]));
  double sum = 0;
  for (std::size_t i = count_; i < tokens_.size(); ++i) {
    sum += (y_.row(static_cast<Eigen::Index>(tokens_[i])) - s).norm();
  }
  return sum;
}

bool SampledDistance::draw_more() {
  if (stage_ == kStages.size()) return false;
  const std::size_t draws = kStages[stage_++];
  while (values_.size() < draws) values_.push_back(draw_distance());
  interval_ = interval_of_draws();
  return true;
}

ConfidenceInterval SampledDistance::interval_of_draws() const {
  const double mean =
      std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
  // Rounding moves the mean and the standard deviation by at most rounding_ and twice that; the
  // factor before the deviation is below 1.
  constexpr double kSlack = 1 + 0x1p-20;
  const double reach =
      (bernstein(variance_of(values_, mean), most_, values_.size()) + 4 * rounding_) * kSlack;
  if (!std::isfinite(reach)) return {0, kInfinity};
  return {std::max(mean - reach, 0.0), mean + reach};
}

SampledShare::SampledShare(std::vector<ErrorDouble> radii, const ErrorDouble& r,
                           std::size_t dimension)
    : random_(stream(radii.size(), dimension)),
      radii_(std::move(radii)),
      reach_(square(r)),
      dimension_(dimension) {
  draw_more();
}

/// With c the cosine of the angle between the sum s so far and the next step, of length b,
/// ||s + b u||^2 = ||s||^2 + b^2 + 2 ||s|| b c.
void SampledShare::draw() {
  const std::size_t left_out = below(random_, radii_.size());
  ErrorDouble squared;
  for (std::size_t j = 0; j < radii_.size(); ++j) {
    if (j == left_out) continue;
    const ErrorDouble c(coordinate(random_, dimension_));
    const ErrorDouble along = sqrt_nonnegative(squared) * c;
    squared += radii_[j] * (radii_[j] + along + along);
  }
  certainly_ += squared.upper() <= reach_.lower() ? 1 : 0;
  possibly_ += squared.lower() > reach_.upper() ? 0 : 1;
}

bool SampledShare::draw_more() {
  if (stage_ == kStages.size()) return false;
  const std::size_t draws = kStages[stage_++];
  for (; drawn_ < draws; ++drawn_) draw();
  using Binomial = boost::math::binomial_distribution<double>;
  const double tail = kMiss / 2;
  const auto n = static_cast<double>(draws);
  interval_ = {Binomial::find_lower_bound_on_p(n, static_cast<double>(certainly_), tail),
               Binomial::find_upper_bound_on_p(n, static_cast<double>(possibly_), tail)};
  return true;
}

}  // namespace attn
