#include "reports/record/columns.hpp"

#include <fmt/format.h>

namespace attn::report {
namespace {

/// `what`, and that the first token is not read where it is not.
std::string of_variant(const std::string& what, bool without_first) {
  if (!without_first) return what;
  return what.empty() ? "without the first token" : what + ", without the first token";
}

}  // namespace

std::string point_of(const DistancePoint& point) {
  return of_variant(fmt::format("L {}, N {}", point.length, point.n), point.without_first);
}

std::string point_of(const CriticalPoint& point) {
  return of_variant(
      fmt::format("L {}, level {}, {}", point.length, point.level, to_string(point.reading)),
      point.without_first);
}

std::string point_of(const SeparabilityPoint& point) {
  return of_variant(fmt::format("N {}", point.n), point.without_first);
}

std::string point_of(const DirectionPoint& point) {
  return of_variant({}, point.without_first);
}

std::string point_of(const StepPoint& point) {
  return fmt::format("epsilon {}, {}", point.epsilon, to_string(point.direction));
}

std::string point_of(const GradientPoint& point) {
  return of_variant(fmt::format("T {}", point.temperature), point.without_first);
}

std::string point_of(const SinkPoint& point) {
  return fmt::format("L {}", point.length);
}

std::string point_of(const HeldPoint& point) {
  return of_variant(fmt::format("L {}, held {}", point.length, point.held), point.without_first);
}

std::string point_of(const NormalizerPoint& point) {
  return of_variant(fmt::format("{}, L {}", point.name, point.length), point.without_first);
}

std::string point_of(const MassPoint& point) {
  return fmt::format("N {}, left out {}", point.n, point.left_out);
}

}  // namespace attn::report
