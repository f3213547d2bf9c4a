#include "gpt2_check/experiments/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/heads/lanes.hpp"
#include "gpt2_check/heads/row_weights.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"

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

ATTN_EACH_VECTOR_WIDTH Secular secular(const double* a, std::size_t size, double second,
                                       double above) {
  Lanes psi, slope;
  in_lanes(size, [&](std::size_t i, std::size_t lane) {
    // t - a_i as a sum of two terms >= 0: no digits cancel next to the pole at `second`.
    const double ratio = a[i] / (above + (second - a[i]));
    psi.at[lane] += a[i] * ratio;
    slope.at[lane] += ratio * ratio;
  });
  return {psi.sum(), slope.sum()};
}

/// The positive root v of a v^2 + b v = c, where a > 0, c >= 0.
double positive_root(double a, double b, double c) {
  const double root = std::hypot(b, 2 * std::sqrt(a) * std::sqrt(c));
  return b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
}

/// ||diag(a) - a a^T|| from the largest weight, rest = 1 - top, and the other weights, of which
/// `second` is the largest.
///
/// The secular equation is (top - t) psi(t) = t - top rest. As a function of w = 1/(t - second),
/// psi is concave: its terms are a_i^2 w / (1 + w (second - a_i)). So its tangent in w lies above
/// it, and the root of the equation with the tangent in place of psi lies above the true root. From
/// there on the tangents' roots fall to it, quadratically; each takes a quadratic equation. Where
/// the last step was eta relative in w, psi was off by at most eta^2 relative, and so is t.
double largest_root(double top, double rest, std::span<const double> others, double second) {
  if (others.empty()) return top * rest;
  const double gap = top - second;
  const double gershgorin = 2 * std::max(top * rest, second * (1 - second));
  double above = std::min(top, gershgorin) - second;
  if (above <= 0) return second;
  constexpr double kLastStep = 1e-7;
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    const Secular at = secular(others.data(), others.size(), second, above);
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
  const double moved = -reproducible::expm1(-2 * half) /
                       ((1 + reproducible::exp(odds)) * (1 + reproducible::exp(-odds - 2 * half)));
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
  const double w = reproducible::exp(-rise);
  const double e = -reproducible::expm1(-rise);
  const double z = w * (1 - a.second * e) + a.first * e;
  return e / z *
         std::hypot(a.first * (a.rest + a.second * w), a.second * (a.first + (1 - a.second) * w),
                    (a.first - a.second * w) * a.others);
}

/// exp((l_i - top)/T), or 0 where that is not a normal double.
ATTN_EACH_VECTOR_WIDTH void exponentials(const double* logits, std::size_t size, double top,
                                         double temperature, double* scaled) {
  for (std::size_t i = 0; i < size; ++i) {
    const double exponent = (logits[i] - top) / temperature;
    const double power = reproducible::exp(exponent);
    scaled[i] = exponent < kLeastExponent ? 0 : power;
  }
}

ATTN_EACH_VECTOR_WIDTH void multiply(const double* values, std::size_t size, double factor,
                                     double* products) {
  for (std::size_t i = 0; i < size; ++i) products[i] = factor * values[i];
}

ATTN_EACH_VECTOR_WIDTH WeightSums sums_of(const double* values, std::size_t size) {
  Lanes sum, squares, largest;
  in_lanes(size, [&](std::size_t i, std::size_t lane) {
    sum.at[lane] += values[i];
    squares.at[lane] += values[i] * values[i];
    largest.at[lane] = values[i] > largest.at[lane] ? values[i] : largest.at[lane];
  });
  return {sum.sum(), squares.sum(), largest.most()};
}

/// One bit of a random number each.
void draw_signs(std::mt19937_64& engine, std::span<std::uint8_t> plus) {
  constexpr std::size_t kBits = std::mt19937_64::word_size;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < plus.size(); ++i) {
    if (i % kBits == 0) bits = engine();
    plus[i] = static_cast<std::uint8_t>(bits >> (i % kBits) & 1);
  }
}

void follow(LargestStep& largest, double quotient, Eigen::Index row) {
  if (quotient <= largest.quotient || std::isnan(largest.quotient)) return;
  largest = {quotient, row};
}

}  // namespace

double softmax_norm(std::span<const double> weights, double rest) {
  const auto top = std::ranges::max_element(weights);
  const auto others = without(weights, static_cast<std::size_t>(top - weights.begin()));
  const double second = others.empty() ? 0 : std::ranges::max(others);
  return largest_root(*top, rest, others, second);
}

double softmax_norm(std::span<const double> weights) {
  const auto top = std::ranges::max_element(weights);
  double rest = 0;
  for (auto at = weights.begin(); at != weights.end(); ++at) {
    if (at != top) rest += *at;
  }
  return softmax_norm(weights, rest);
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
  for (Group* const group : {&first_, &second_}) {
    for (const double logit : group->logits) group->least = std::min(group->least, logit);
  }
}

void GradientRow::scale(Group& group, double temperature) {
  std::vector<double>& scaled = group.scaled;
  scaled.resize(group.logits.size());
  exponentials(group.logits.data(), scaled.size(), group.top, temperature, scaled.data());
  if ((group.least - group.top) / temperature < kLeastExponent) std::erase(scaled, 0.0);
  group.sums = sums_of(scaled.data(), scaled.size());
}

RowGradient GradientRow::at(double temperature) {
  scale(first_, temperature);
  scale(second_, temperature);
  const double exponent = (second_.top - first_.top) / temperature;
  const double share = exponent < kLeastExponent ? 0 : reproducible::exp(exponent);

  // The largest weight is 1/z, and first_.scaled has it in front, as 1.
  const std::span<const double> beside_top = std::span(first_.scaled).subspan(1);
  const std::span<const double> of_others =
      share > 0 ? std::span<const double>(second_.scaled) : std::span<const double>();
  const double rest_times_z =
      sums_of(beside_top.data(), beside_top.size()).sum + share * second_.sums.sum;
  const double z = 1 + rest_times_z;
  others_.resize(beside_top.size() + of_others.size());
  multiply(beside_top.data(), beside_top.size(), 1 / z, others_.data());
  multiply(of_others.data(), of_others.size(), share / z, others_.data() + beside_top.size());
  const WeightSums others = sums_of(others_.data(), others_.size());
  const double second = others.largest;
  const TopTwo top{1 / z, second, rest_times_z / z,
                   std::sqrt(std::max(others.squares - second * second, 0.0))};

  RowGradient result{largest_root(top.first, top.rest, others_, top.second), {}, {}};
  const double first_spread = std::sqrt(first_.sums.squares) / first_.sums.sum;
  const double second_spread =
      second_.scaled.empty() ? 0 : std::sqrt(second_.sums.squares) / second_.sums.sum;
  const double odds = reproducible::log(first_.sums.sum / second_.sums.sum) - exponent;
  for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
    const double step = kStepLengths[k];
    const double half = step / (temperature * root_of_length_);
    result.random[k] =
        change_of_signs(first_is_plus_ ? odds : -odds, first_spread, second_spread, half) / step;
    result.top[k] = change_of_top(top, step / (temperature * std::numbers::sqrt2)) / step;
  }
  return result;
}

std::vector<TemperatureGradients> measure_gradient(const Head& head,
                                                   std::span<const std::int64_t> rows,
                                                   std::span<const double> temperatures,
                                                   std::uint64_t seed) {
  const auto low = [](auto value) { return static_cast<std::uint32_t>(value); };
  constexpr std::uint32_t kSigns = 1;  // apart from the stream of the random sets
  std::seed_seq seeds{low(seed), low(seed >> 32), low(head.layer), low(head.head), kSigns};
  std::mt19937_64 engine(seeds);
  std::vector<TemperatureGradients> result;
  for (const double temperature : temperatures) result.push_back({.temperature = temperature});

  LogitRows logits(head);
  std::vector<std::uint8_t> plus;
  for (const std::int64_t t : rows) {
    if (!head.has_logits(t)) continue;
    plus.resize(static_cast<std::size_t>(head.tokens(t)));
    draw_signs(engine, plus);
    GradientRow row(logits.at(t), plus);
    for (TemperatureGradients& at : result) {
      const RowGradient gradient = row.at(at.temperature);
      ++at.rows;
      at.sum_t_norm += gradient.t_norm;
      at.largest_t_norm = larger(at.largest_t_norm, gradient.t_norm);
      const double printed = std::min(1 / (4 * at.temperature), std::numbers::sqrt2);
      if (gradient.t_norm / at.temperature > printed) ++at.rows_above_printed_bound;
      for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
        follow(at.random[k], gradient.random[k], t);
        follow(at.top[k], gradient.top[k], t);
      }
    }
  }
  return result;
}

}  // namespace attn::gpt2
