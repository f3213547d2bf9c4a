#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/pages/figure_parts.hpp"
#include "reports/text/format.hpp"

// What an input shows of sentences of the paper that speak of measurements.
namespace attn::report {
namespace {

/// The largest g at one temperature for steps of one length, in either direction; none where one
/// was not measured.
std::optional<double> largest_step(const GradientPoint& point, double epsilon) {
  std::optional<double> largest;
  for (const StepPoint& step : point.steps) {
    if (step.epsilon != epsilon) continue;
    if (!step.largest) return std::nullopt;
    largest = std::max(largest.value_or(0), *step.largest);
  }
  return largest;
}

}  // namespace

std::string plateau_numbers(const Measurements& measured) {
  std::vector<DistancePoint> points = points_with(measured.figures.distance_by_n, false);
  std::erase_if(points, [](const DistancePoint& point) {
    return !point.distance || !(point.distance->mean > 0) || !point.bound;
  });
  if (points.size() < 2) return {};
  const DistancePoint &first = points.front(), &last = points.back();
  const auto distance_of = [](const DistancePoint& point) { return point.distance->mean; };
  const DistancePoint& top = *std::ranges::max_element(points, {}, distance_of);
  const auto at = [&](const DistancePoint& point) {
    return fmt::format("{} at $N = {}$", short_number(distance_of(point)), count_text(point.n));
  };
  const auto bound_of = [&](const DistancePoint& point) {
    return short_number(point.bound->mean / distance_of(point));
  };
  return fmt::format("at $L = {}$, $D$ is {}{} and {}, the paper's bound {} and {} times as large",
                     count_text(last.length), at(first),
                     &top == &first || &top == &last ? "" : ", at most " + at(top), at(last),
                     bound_of(first), bound_of(last));
}

std::string critical_numbers(const Measurements& measured) {
  const double longest =
      measured.figures.critical_n.empty()
          ? 0
          : std::ranges::max(measured.figures.critical_n, {}, &CriticalPoint::length).length;
  std::string words;
  for (const CriticalPoint& point : measured.figures.critical_n) {
    const bool is_asked = point.reading == Reading::mean && !point.without_first;
    if (!is_asked || point.length != longest || !point.n || !point.fraction) continue;
    words += fmt::format("{}{} ({} of $L$) at the level {}", words.empty() ? "" : ", ",
                         count_text(*point.n), percent(*point.fraction), rounded(point.level));
  }
  return words.empty() ? words : fmt::format("at $L = {}$ it is {}", count_text(longest), words);
}

std::string drop_numbers(const Measurements& measured) {
  const std::vector<GradientPoint> points = points_with(measured.figures.gradient, false);
  const auto warm = std::ranges::find(points, 1.0, &GradientPoint::temperature);
  if (warm == points.end()) return {};
  const GradientPoint& cold = *std::ranges::min_element(points, {}, &GradientPoint::temperature);
  if (!(cold.temperature < warm->temperature)) return {};
  std::set<double> epsilons;
  for (const StepPoint& step : warm->steps) epsilons.insert(step.epsilon);
  std::string words;
  for (const double epsilon : epsilons) {
    const auto high = largest_step(cold, epsilon), low = largest_step(*warm, epsilon);
    if (!high || !low || !(*low > 0)) continue;
    words += fmt::format("{}{} at $epsilon = {}$", words.empty() ? "" : ", ",
                         short_number(*high / *low), rounded(epsilon));
  }
  if (words.empty()) return words;
  return fmt::format("from $T = {}$ to $T = 1$ the largest $g$ drops by a factor of {}",
                     rounded(cold.temperature), words);
}

}  // namespace attn::report
