#include "gpt2_check/experiments/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

namespace attn::gpt2 {
namespace {

/// exp of less is not a normal double.
constexpr double kLeastExponent = -708;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// psi(t) = sum_i a_i^2 / (t - a_i) over all weights but the largest, and sum_i (a_i/(t - a_i))^2,
/// which is -psi'(t), at t = second + above.
struct Secular {
  double psi, slope;
};

Secular secular(std::span<const double> others, double second, double above) {
  double psi = 0;
  double slope = 0;
  const double* a = others.data();
  const std::size_t size = others.size();
#pragma omp simd reduction(+ : psi, slope)
  for (std::size_t i = 0; i < size; ++i) {
    // t - a_i as a sum of two terms >= 0: no digits cancel next to the pole at `second`.
    const double ratio = a[i] / (above + (second - a[i]));
    psi += a[i] * ratio;
    slope += ratio * ratio;
  }
  return {psi, slope};
}

/// The positive root v of a v^2 + b v = c, where a > 0, c >= 0.
double positive_root(double a, double b, double c) {
  const double root = std::hypot(b, 2 * std::sqrt(a) * std::sqrt(c));
  return b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
}

/// ||diag(a) - a a^T|| from the largest weight, rest = 1 - top, and the other weights.
///
/// The secular equation is (top - t) psi(t) = t - top rest. As a function of w = 1/(t - second),
/// psi is concave: its terms are a_i^2 w / (1 + w (second - a_i)). So its tangent in w lies above
/// it, and the root of the equation with the tangent in place of psi lies above the true root. From
/// there on the tangents' roots fall to it, quadratically; each takes a quadratic equation. Where
/// the last step was eta relative in w, psi was off by at most eta^2 relative, and so is t.
double largest_root(double top, double rest, std::span<const double> others) {
  if (others.empty()) return top * rest;
  const double second =
      Eigen::Map<const Eigen::ArrayXd>(others.data(), static_cast<Eigen::Index>(others.size()))
          .maxCoeff();
  const double gap = top - second;
  const double gershgorin = 2 * std::max(top * rest, second * (1 - second));
  double above = std::min(top, gershgorin) - second;
  if (above <= 0) return second;
  constexpr double kLastStep = 1e-7;
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    const Secular at = secular(others, second, above);
    // The tangent is constant + pole above / (t - second); the unknown is v = (t - second)/above.
    const double pole = above * at.slope;
    const double constant = at.psi - pole;
    const double v = positive_root((1 + constant) * above,
                                   second - top * rest + above * pole - constant * gap, gap * pole);
    above *= v;
    if (std::abs(v - 1) <= kLastStep) break;
  }
  return second + above;
}

std::vector<double> without(std::span<const double> weights, std::size_t token) {
  std::vector<double> others(weights.begin(), weights.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(token));
  return others;
}

/// ||change of the weights|| where the logits of one sign rise by `half` T and the others fall by
/// it: the sums of the weights of the signs go from sigma(odds) and 1 - sigma(odds) to sigma(odds +
/// 2 half) and its complement, and within a sign all weights keep their proportions. `odds`: log of
/// the rising sign's sum over the other's; the rest: ||weights|| over their sum, of each sign.
double change_of_signs(double odds, double rising, double falling, double half) {
  const double moved =
      -std::expm1(-2 * half) / ((1 + std::exp(odds)) * (1 + std::exp(-odds - 2 * half)));
  return moved * std::hypot(rising, falling);
}

/// What the direction (e_(1) - e_(2))/sqrt(2) needs of the weights.
struct TopTwo {
  double first, second;  ///< the two largest weights
  double rest;           ///< 1 - first
  double others;         ///< the root of the sum of the squares of all others
};

/// ||change of the weights|| where the largest logit rises by `rise` T and the second falls by it.
///
/// With w = exp(-rise), z = w sum_j moved_j and e = 1 - w the weights change by
/// first e (rest + second w)/z, -second e (first + (1 - second) w)/z and -a_i e (first - second
/// w)/z.
double change_of_top(const TopTwo& a, double rise) {
  const double w = std::exp(-rise);
  const double e = -std::expm1(-rise);
  const double z = w * (1 - a.second * e) + a.first * e;
  return e / z *
         std::hypot(a.first * (a.rest + a.second * w), a.second * (a.first + (1 - a.second) * w),
                    (a.first - a.second * w) * a.others);
}

/// The larger one; NaN where either is.
double larger(double a, double b) {
  return b <= a || std::isnan(a) ? a : b;
}

void follow(LargestStep& largest, double quotient, Eigen::Index row) {
  if (quotient <= largest.quotient || std::isnan(largest.quotient)) return;
  largest = {quotient, row};
}

}  // namespace

double softmax_norm(std::span<const double> weights, double rest) {
  const auto top = std::ranges::max_element(weights);
  return largest_root(*top, rest,
                      without(weights, static_cast<std::size_t>(top - weights.begin())));
}

double softmax_norm(std::span<const double> weights) {
  const auto top = std::ranges::max_element(weights);
  const auto others = without(weights, static_cast<std::size_t>(top - weights.begin()));
  double rest = 0;
  for (const double weight : others) rest += weight;
  return largest_root(*top, rest, others);
}

GradientRow::GradientRow(std::span<const double> logits, std::span<const std::uint8_t> plus)
    : root_of_length_(std::sqrt(static_cast<double>(logits.size()))) {
  const auto top = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
  first_is_plus_ = plus[top] != 0;
  first_.logits.push_back(logits[top]);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (i == top) continue;
    ((plus[i] != 0) == first_is_plus_ ? first_ : second_).logits.push_back(logits[i]);
  }
  first_.top = logits[top];
  second_.top = -kInfinity;
  for (const double logit : second_.logits) second_.top = larger(second_.top, logit);
}

void GradientRow::scale(Group& group, double temperature) {
  group.scaled.clear();
  group.sum = 0;
  group.squares = 0;
  for (const double logit : group.logits) {
    const double exponent = (logit - group.top) / temperature;
    if (exponent < kLeastExponent) continue;
    const double e = std::exp(exponent);
    group.scaled.push_back(e);
    group.sum += e;
    group.squares += e * e;
  }
}

RowGradient GradientRow::at(double temperature) {
  scale(first_, temperature);
  scale(second_, temperature);
  const double exponent = (second_.top - first_.top) / temperature;
  const double share = exponent < kLeastExponent ? 0 : std::exp(exponent);

  // The largest weight is 1/z, and first_.scaled has it in front, as 1.
  double beside_top = 0;
  for (std::size_t i = 1; i < first_.scaled.size(); ++i) beside_top += first_.scaled[i];
  const double rest_times_z = beside_top + share * second_.sum;
  const double z = 1 + rest_times_z;
  others_.clear();
  for (std::size_t i = 1; i < first_.scaled.size(); ++i) others_.push_back(first_.scaled[i] / z);
  if (share > 0) {
    for (const double e : second_.scaled) others_.push_back(e * share / z);
  }
  TopTwo top{1 / z, 0, rest_times_z / z, 0};
  double squares = 0;
  for (const double weight : others_) {
    top.second = larger(top.second, weight);
    squares += weight * weight;
  }
  top.others = std::sqrt(std::max(squares - top.second * top.second, 0.0));

  RowGradient result{largest_root(top.first, top.rest, others_), {}, {}};
  const double first_spread = std::sqrt(first_.squares) / first_.sum;
  const double second_spread =
      second_.scaled.empty() ? 0 : std::sqrt(second_.squares) / second_.sum;
  const double odds = std::log(first_.sum / second_.sum) - exponent;
  for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
    const double step = kStepLengths[k];
    const double half = step / (temperature * root_of_length_);
    result.random[k] =
        change_of_signs(first_is_plus_ ? odds : -odds, first_spread, second_spread, half) / step;
    result.top[k] = change_of_top(top, step / (temperature * std::numbers::sqrt2)) / step;
  }
  return result;
}

std::vector<TemperatureGradients> measure_gradient(const Head& head, const Rows& logits,
                                                   std::span<const std::int64_t> rows,
                                                   std::span<const double> temperatures,
                                                   std::uint64_t seed) {
  const auto low = [](auto value) { return static_cast<std::uint32_t>(value); };
  constexpr std::uint32_t kSigns = 1;  // apart from the stream of the random sets
  std::seed_seq seeds{low(seed), low(seed >> 32), low(head.layer), low(head.head), kSigns};
  std::mt19937_64 engine(seeds);
  std::vector<TemperatureGradients> result;
  for (const double temperature : temperatures) result.push_back({.temperature = temperature});

  std::vector<std::uint8_t> plus;
  for (const std::int64_t t : rows) {
    if (!head.has_logits(t)) continue;
    const auto tokens = static_cast<std::size_t>(head.tokens(t));
    plus.resize(tokens);
    for (std::uint8_t& sign : plus) sign = static_cast<std::uint8_t>(engine() >> 63);
    GradientRow row({&logits(t, head.first(t)), tokens}, plus);
    for (TemperatureGradients& at : result) {
      const RowGradient gradient = row.at(at.temperature);
      ++at.rows;
      at.mean_t_norm += gradient.t_norm;
      at.largest_t_norm = larger(at.largest_t_norm, gradient.t_norm);
      const double printed = std::min(1 / (4 * at.temperature), std::numbers::sqrt2);
      if (gradient.t_norm / at.temperature > printed) ++at.rows_above_printed_bound;
      for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
        follow(at.random[k], gradient.random[k], t);
        follow(at.top[k], gradient.top[k], t);
      }
    }
  }
  for (TemperatureGradients& at : result) {
    if (at.rows > 0) at.mean_t_norm /= static_cast<double>(at.rows);
  }
  return result;
}

}  // namespace attn::gpt2
