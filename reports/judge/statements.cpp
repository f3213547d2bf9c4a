#include "reports/judge/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "reports/text/format.hpp"

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

bool is_too_short(const PaperStatement& entry) {
  return entry.id == kDistanceStatement && !entry.points.empty() &&
         entry.points.front().length < kShortestOfPaper;
}

bool lacks_heads_for_critical_n(const Measurements& measured) {
  return measured.layers && measured.heads_per_layer &&
         *measured.layers * *measured.heads_per_layer <= kMostHeadsNeverApart &&
         !measured.figures.distance_by_length.empty();
}

std::string critical_n_words(const Measurements& measured, const NormalizerPoint& point,
                             const std::optional<double>& n) {
  if (n) return count_text(*n);
  if (!point.largest_weight) return "none: weights undefined";
  return lacks_heads_for_critical_n(measured) ? "none: too few heads" : "none";
}

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
