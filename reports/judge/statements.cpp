#include "reports/judge/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "reports/record/measurements.hpp"

namespace attn::report {
namespace {

/// What a statement allows: low <= value <= high, or value < high.
struct Stated {
  std::string_view id;
  double low, high;
  bool with_high;
};

constexpr double kAny = -std::numeric_limits<double>::infinity();

constexpr Stated kStated[] = {{kDistanceStatement, kAny, 1, false},
                              {kShareStatement, 0.70, 0.85, true},
                              {kGradientStatement, kAny, 0.25, true}};

}  // namespace

std::optional<bool> agreement(std::string_view id, const Found& found,
                              std::optional<double> largest) {
  const auto* const stated = std::ranges::find(kStated, id, &Stated::id);
  if (stated == std::end(kStated)) {
    throw std::logic_error(fmt::format("no statement is called \"{}\"", id));
  }
  if (largest && *largest > stated->high) return false;
  const bool below = stated->with_high ? found.high <= stated->high : found.high < stated->high;
  if (found.low >= stated->low && below) return true;
  const bool above = stated->with_high ? found.low > stated->high : found.low >= stated->high;
  if (above || found.high < stated->low) return false;
  return std::nullopt;
}

}  // namespace attn::report
