#include "reports/judge/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "reports/record/walk.hpp"

namespace attn::report {
namespace {

std::string distance_words(const PaperStatement& entry, std::string_view over) {
  const double ratio = *entry.estimate, low = *entry.low, high = *entry.high;
  const AbstractPoint &first = entry.points.front(), &last = entry.points.back();
  const double shortest = *first.length, longest = *last.length;
  const char* const course = high < 1  ? "falls"
                             : low > 1 ? "grows"
                                       : "neither falls nor grows for certain";
  return fmt::format(
      "With $N = L/4$, $D$ at $L = {}$ is {:.3g} times what it is at $L = {}$ (geometric mean over "
      "{}, {:.3g} to {:.3g}): it {}. For each token outside, of which there are {:.3g} times as "
      "many, it is {:.3g} times ({:.3g} to {:.3g}). Beside $E$, the least that a random set has on "
      "average, $D$ is {:.3g} times as large at $L = {}$ and {:.3g} times at $L = {}$.",
      longest, ratio, shortest, over, low, high, course, longest / shortest,
      ratio * shortest / longest, low * shortest / longest, high * shortest / longest,
      *first.distance / *first.expected, shortest, *last.distance / *last.expected, longest);
}

std::string share_words(const PaperStatement& entry, std::string_view over) {
  return fmt::format(
      "Over all rows and every $N$ measured beyond 16, {:.1f} % of the $N$ largest weights stay "
      "distinguishable (mean over {}, {:.1f} % to {:.1f} %).",
      100 * *entry.estimate, over, 100 * *entry.low, 100 * *entry.high);
}

std::string gradient_words(const PaperStatement& entry, std::string_view) {
  const double most = largest_of(entry.points).value_or(0);
  return fmt::format(
      "The largest $T||J||$ over the rows of a head is {:.4g} on average ({:.4g} to {:.4g}), and "
      "{:.4g} over all heads: the printed $1/4$ is {}; $1/2$ is the proved bound.",
      *entry.estimate, *entry.low, *entry.high, most, most <= 0.25 ? "kept here" : "exceeded");
}

/// What a statement says, what it allows (low <= value <= high, or value < high), and what was
/// measured of it in words.
struct Statement {
  std::string_view id, says;
  double low, high;
  bool with_high;
  std::string (*measured)(const PaperStatement&, std::string_view over);
};

constexpr double kAny = -std::numeric_limits<double>::infinity();

constexpr Statement kStatements[] = {
    {kDistanceStatement,
     "Where the number of selected tokens grows in proportion to the sequence, the distance $D$ "
     "between the selected tokens and the rest collapses.",
     kAny, 1, false, distance_words},
    {kShareStatement,
     "Beyond $N = 16$, between 70 % and 85 % of the selected tokens stay distinguishable.", 0.70,
     0.85, true, share_words},
    {kGradientStatement, "At temperatures below 0.1 the gradient is at most $1/(4T)$.", kAny, 0.25,
     true, gradient_words}};

const Statement& statement_of(std::string_view id) {
  const auto* const statement = std::ranges::find(kStatements, id, &Statement::id);
  if (statement != std::end(kStatements)) return *statement;
  throw std::logic_error(fmt::format("no statement is called \"{}\"", id));
}

}  // namespace

std::optional<double> largest_of(const std::vector<AbstractPoint>& points) {
  AbstractPoint all;
  for (const AbstractPoint& point : points) join(all, point, 1);
  return all.largest;
}

bool is_too_short(const PaperStatement& entry) {
  return entry.id == kDistanceStatement && !entry.points.empty() &&
         entry.points.front().length < kShortestOfPaper;
}

bool lacks_heads_for_critical_n(const Measurements& measured) {
  return measured.layers && measured.heads_per_layer &&
         *measured.layers * *measured.heads_per_layer <= kMostHeadsNeverApart &&
         !measured.figures.distance_by_length.empty();
}

std::optional<bool> agreement(std::string_view id, const Found& found,
                              std::optional<double> largest) {
  const Statement& stated = statement_of(id);
  if (largest && *largest > stated.high) return false;
  const bool below = stated.with_high ? found.high <= stated.high : found.high < stated.high;
  if (found.low >= stated.low && below) return true;
  const bool above = stated.with_high ? found.low > stated.high : found.low >= stated.high;
  if (above || found.high < stated.low) return false;
  return std::nullopt;
}

void put_into_words(PaperStatement& entry, std::string_view over) {
  const Statement& statement = statement_of(entry.id);
  entry.says = statement.says;
  entry.measured = statement.measured(entry, over);
}

}  // namespace attn::report
