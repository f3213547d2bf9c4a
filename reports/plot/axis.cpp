#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/plot/charts.hpp"

namespace attn::plot {
namespace {

constexpr double kSlack = 1e-9;  // a round value stays itself whatever the rounding
constexpr double kSteps = 5;     // about so many on a linear axis
constexpr double kMostTicks = 7;
constexpr double kFewDecades = 1.5;  // an axis of fewer has ticks at 1, 2 and 5

/// 1, 2 or 5 times a power of ten, so that about kSteps steps make up `span` > 0.
double round_step(double span) {
  const double rough = span / kSteps * (1 - kSlack);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

/// 1, 2, 5 and 10 times the power of ten at or below `value` > 0.
std::vector<double> round_values_near(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + kSlack));
  return {power, 2 * power, 5 * power, 10 * power};
}

double round_below(double value) {
  double below = 0;
  for (const double candidate : round_values_near(value)) {
    if (candidate <= value * (1 + kSlack)) below = candidate;
  }
  return below;
}

double round_above(double value) {
  for (const double candidate : round_values_near(value)) {
    if (candidate >= value * (1 - kSlack)) return candidate;
  }
  return value;
}

}  // namespace

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 1e-4 && size < 1e5) return fmt::format("{:.5g}", value);
  const double exponent = std::floor(std::log10(size) + kSlack);
  return fmt::format("{:.3g}e{:.0f}", value / std::pow(10.0, exponent), exponent);
}

Axis::Axis(Spacing spacing, double low, double high, double from, double to)
    : spacing_(spacing), low_(low), high_(high), from_(from), to_(to) {}

double Axis::operator()(double value) const {
  const bool is_log = spacing_ == Spacing::logarithmic;
  const auto place = [&](double v) { return is_log ? std::log10(v) : v; };
  const double inside = value > low_ ? std::min(value, high_) : low_;
  const double span = place(high_) - place(low_);
  if (!(span > 0)) return from_;
  return from_ + (place(inside) - place(low_)) / span * (to_ - from_);
}

std::vector<Tick> Axis::ticks() const {
  std::vector<double> values;
  if (spacing_ == Spacing::linear) {
    const bool are_apart = high_ - low_ > kSlack * std::abs(low_);
    if (!are_apart) return {{(*this)(low_), tick_text(low_)}};
    const double step = round_step(high_ - low_);
    for (double k = std::ceil(low_ / step - kSlack); k * step <= high_ + kSlack * step; ++k) {
      values.push_back(k * step);
    }
  } else {
    const double decades = std::log10(high_ / low_);
    const double step = std::max(1.0, std::ceil(decades / kMostTicks));
    for (double e = std::floor(std::log10(low_)); e <= std::ceil(std::log10(high_)); e += step) {
      const bool is_fine = decades < kFewDecades;
      for (const double factor : is_fine ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0}) {
        const double value = factor * std::pow(10.0, e);
        if (value >= low_ * (1 - kSlack) && value <= high_ * (1 + kSlack)) values.push_back(value);
      }
    }
  }
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({(*this)(value), tick_text(value)});
  return ticks;
}

Axis rounded_axis(Spacing spacing, double low, double high, double from, double to) {
  if (spacing == Spacing::logarithmic) {
    const double least = std::max(low, high * std::pow(10.0, -kMostDecades));
    const double bottom = round_below(least);
    const double top = round_above(high);
    return {spacing, bottom, top > bottom ? top : 10 * bottom, from, to};
  }
  low = std::min(low, 0.0);
  high = std::max(high, 0.0);
  if (!(high > low)) high = low + 1;
  const double step = round_step(high - low);
  return {spacing, step * std::floor(low / step + kSlack), step * std::ceil(high / step - kSlack),
          from, to};
}

}  // namespace attn::plot
