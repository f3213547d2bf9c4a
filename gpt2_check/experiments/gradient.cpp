#include "gpt2_check/experiments/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ranges>

#include "gpt2_check/experiments/statistics.hpp"
#include "reports/judge/statements.hpp"
#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/base/random.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

/// exp of less is not a normal double.
constexpr double kLeastExponent = -708;

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

/// e_i = exp((l_i - top)/T) into `scaled`, times `factor`; the sums are of the e_i themselves.
ATTN_EACH_VECTOR_WIDTH WeightSums exponentials(std::span<const double> logits, double top,
                                               double inverse_temperature, double factor,
                                               double* scaled) {
  const double* const logit = logits.data();
  Lanes sum, squares, largest;
  in_lanes(logits.size(), [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    const double power = reproducible::exp((logit[i] - top) * inverse_temperature);
    scaled[i] = factor * power;
    sum.at[lane] += power;
    squares.at[lane] += power * power;
    largest.at[lane] = power > largest.at[lane] ? power : largest.at[lane];
  });
  return {sum.sum(), squares.sum(), largest.most()};
}

/// Drops the values below `least`.
void drop_below(double least, std::vector<double>& values) {
  std::size_t count = 0;
  for (const double value : values) {
    values[count] = value;
    count += value < least ? 0 : 1;
  }
  values.resize(count);
}

/// Draws signs, each by one bit of a random number.
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
  std::vector<double> others(weights.begin(), weights.end());
  const auto top = std::ranges::max_element(others);
  const double first = *top;
  others.erase(top);
  const double second = others.empty() ? 0 : std::ranges::max(others);
  return SecularEquation{first, rest, 1, others, second}.root();
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
    : root_of_length_(std::sqrt(static_cast<double>(logits.size()))), others_(logits.size()) {
  const auto top = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
  first_is_plus_ = plus[top] != 0;
  first_.logits.resize(logits.size());
  second_.logits.resize(logits.size());
  std::size_t in_first = 0, in_second = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    first_.logits[in_first] = second_.logits[in_second] = logits[i];
    // Signs are random: a branch on them would be guessed wrongly half the time.
    const bool is_first = (plus[i] != 0) == first_is_plus_;
    in_first += is_first && i != top ? 1 : 0;
    in_second += is_first ? 0 : 1;
  }
  first_.logits.resize(in_first);
  second_.logits.resize(in_second);
  first_.range = {range_of(first_.logits).least, logits[top]};
  second_.range = range_of(second_.logits);
}

std::size_t GradientRow::scale(Group& group, double temperature, double factor,
                               std::size_t others) {
  const double least = group.range.most + kLeastExponent * temperature;
  if (group.range.least < least) drop_below(least, group.logits);
  group.sums = exponentials(group.logits, group.range.most, 1 / temperature, factor,
                            others_.data() + others);
  return others + group.logits.size();
}

RowGradient GradientRow::at(double temperature) {
  const double exponent = (second_.range.most - first_.range.most) / temperature;
  const double share = exponent < kLeastExponent ? 0 : reproducible::exp(exponent);
  const std::size_t beside_top = scale(first_, temperature, 1, 0);
  const std::size_t all = scale(second_, temperature, share, beside_top);
  const WeightSums& first = first_.sums;  // but for the 1 of the largest weight, which is 1/z
  const WeightSums& second = second_.sums;

  const double rest = first.sum + share * second.sum;
  const double z = 1 + rest;
  const SecularEquation equation{.first = 1 / z,
                                 .rest = rest,
                                 .unit = 1 / z,
                                 .others = std::span(others_).first(share > 0 ? all : beside_top),
                                 .second = std::max(first.largest, share * second.largest)};
  const double squares = first.squares + share * share * second.squares;
  const TopTwo top{1 / z, equation.second / z, rest / z,
                   std::sqrt(std::max(squares - equation.second * equation.second, 0.0)) / z};

  RowGradient result{equation.root() / z, {}, {}};
  const double first_spread = std::sqrt(1 + first.squares) / (1 + first.sum);
  const double second_spread = second_.logits.empty() ? 0 : std::sqrt(second.squares) / second.sum;
  const double odds = reproducible::log((1 + first.sum) / second.sum) - exponent;
  for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
    const double step = kStepLengths[k];
    const double half = step / (temperature * root_of_length_);
    result.random[k] =
        change_of_signs(first_is_plus_ ? odds : -odds, first_spread, second_spread, half) / step;
    result.top[k] = change_of_top(top, step / (temperature * std::numbers::sqrt2)) / step;
  }
  return result;
}

GradientMeasure::GradientMeasure(const Head& head, std::span<const double> temperatures,
                                 std::uint64_t seed) {
  constexpr std::uint64_t kSigns = 1;  // apart from the stream of the random sets
  engine_ = random_stream({seed, seed >> 32, static_cast<std::uint64_t>(head.layer),
                           static_cast<std::uint64_t>(head.head), kSigns});
  for (const double temperature : temperatures) result_.push_back({.temperature = temperature});
}

void GradientMeasure::add(std::int64_t row, std::span<const double> logits) {
  plus_.resize(logits.size());
  draw_signs(engine_, plus_);
  GradientRow of_row(logits, plus_);
  double norm_at_cold = std::numeric_limits<double>::quiet_NaN();
  for (TemperatureGradients& at : result_ | std::views::reverse) {
    const RowGradient gradient = of_row.at(at.temperature);
    ++at.rows;
    at.sum_t_norm += gradient.t_norm;
    at.largest_t_norm = larger(at.largest_t_norm, gradient.t_norm);
    const double norm = gradient.t_norm / at.temperature;
    const double printed = std::min(1 / (4 * at.temperature), std::numbers::sqrt2);
    if (norm > printed) ++at.rows_above_printed_bound;
    if (at.temperature == report::kCold) norm_at_cold = norm;
    if (norm > norm_at_cold) ++at.rows_steeper;
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      follow(at.random[k], gradient.random[k], row);
      follow(at.top[k], gradient.top[k], row);
    }
  }
}

}  // namespace attn::gpt2
