#include "reports/judge/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>
#include <stdexcept>

#include "reports/record/walk.hpp"
#include "reports/text/format.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

/// A sentence on every row, taken as one on most of them.
constexpr double kMostRows = 0.5;

std::string interval_text(double low, double high) {
  return fmt::format("{:.3g} to {:.3g}", low, high);
}

std::string slope_text(const SlopeRecord& slope) {
  return fmt::format("{:.3g} (95 % interval {})", slope.estimate,
                     interval_text(slope.low, slope.high));
}

/// "16 rows up to each length"; over which a mean is besides the heads.
std::string rows_words(const PaperStatement& entry) {
  return entry.by_row.size() > 1
             ? fmt::format(" and the last {} rows of each length", entry.by_row.size())
             : "";
}

/// The power of the longest length by the shortest that a ratio is.
double power_of_ends(const PaperStatement& entry, double ratio) {
  const AbstractPoint &first = entry.points.front(), &last = entry.points.back();
  return reproducible::log(ratio) / reproducible::log(*last.length / *first.length);
}

std::string growth_words(const PaperStatement& entry, std::string_view over) {
  const AbstractPoint &first = entry.points.front(), &last = entry.points.back();
  std::string words = fmt::format(
      "From $L = {}$ to $L = {}$, at $N = {}$, $D$ grows like $L$ to the power {:.3g} (mean over "
      "{}{} of the power of each, {}): 1 is in proportion to $L$, 0 not at all. The mean of $D$ is "
      "{} at the first and {} at the last",
      *first.length, *last.length, last.n.value_or(0), *entry.estimate, over, rows_words(entry),
      interval_text(*entry.low, *entry.high), short_number(*first.distance),
      short_number(*last.distance));
  if (*first.distance > 0 && *last.distance > 0 && *last.length > *first.length) {
    words += fmt::format(
        ": these two alone make a power of {:.3g}, in which heads with a large $D$ weigh more",
        power_of_ends(entry, *last.distance / *first.distance));
  }
  return words + ".";
}

std::string distance_words(const PaperStatement& entry, std::string_view over) {
  const double ratio = *entry.estimate, low = *entry.low, high = *entry.high;
  const AbstractPoint &first = entry.points.front(), &last = entry.points.back();
  const double shortest = *first.length, longest = *last.length;
  const char* const course = high < 1  ? "falls"
                             : low > 1 ? "grows"
                                       : "neither falls nor grows for certain";
  std::string words = fmt::format(
      "With $N = L/4$, $D$ at $L = {}$ is {:.3g} times what it is at $L = {}$ (geometric mean over "
      "{}{}, {}): it {}.",
      longest, ratio, shortest, over, rows_words(entry), interval_text(low, high), course);
  if (entry.slope) {
    words += fmt::format(
        " Fitted to all lengths it goes like $L$ to the power {}; the two alone make {:.3g}.",
        slope_text(*entry.slope), power_of_ends(entry, ratio));
  }
  if (first.expected && last.expected) {
    words += fmt::format(
        " Beside $E$, what as many random tokens have on average, $D$ is {:.3g} times as large at "
        "$L = {}$ and {:.3g} times at $L = {}$.",
        *first.distance / *first.expected, shortest, *last.distance / *last.expected, longest);
  }
  return words;
}

std::string critical_words(const PaperStatement& entry, std::string_view over) {
  const double longest = *entry.points.back().length;
  std::string found;
  for (const AbstractPoint& point : entry.points) {
    if (point.length != longest) continue;
    found += fmt::format("{}{} at level {}", found.empty() ? "" : ", ",
                         point.n ? fmt::format("{}", *point.n) : "none", point.level.value_or(0));
  }
  std::string words = fmt::format(
      "At $L = {}$ the first $N$ at which a test over {} cannot tell $D$ from $E$ is {}: {} "
      "of $L$ ({} to {}) at the first level.",
      longest, over, found, percent(*entry.estimate), percent(*entry.low), percent(*entry.high));
  if (entry.slope) {
    words += fmt::format(" It grows like $L$ to the power {}.", slope_text(*entry.slope));
  }
  return words;
}

std::string share_words(const PaperStatement& entry, std::string_view over) {
  std::string each;
  for (const AbstractPoint& point : entry.points) {
    if (!(point.n > kShareBeyond) || !point.share) continue;
    each += fmt::format("{}{} at $N = {}$", each.empty() ? ": " : ", ", percent(*point.share),
                        *point.n);
  }
  return fmt::format(
      "Over all rows and every $N$ measured beyond {}, {} of the $N$ largest weights stay "
      "distinguishable (mean over {}, {} to {}){}.",
      kShareBeyond, percent(*entry.estimate), over, percent(*entry.low), percent(*entry.high),
      each);
}

std::string gradient_words(const PaperStatement& entry, std::string_view over) {
  const double most = largest_of(entry.points).value_or(0);
  AbstractPoint all;
  std::string temperatures;
  for (const AbstractPoint& point : entry.points) {
    join(all, point, 1);
    temperatures +=
        fmt::format("{}{}", temperatures.empty() ? "" : ", ", point.temperature.value_or(0));
  }
  std::string rows;
  if (all.rows.value_or(0) > 0) {
    rows = fmt::format(" $||J||$ is above the printed bound in {} of all rows at these $T$.",
                       percent(all.rows_above_printed_bound.value_or(0), *all.rows));
  }
  return fmt::format(
      "The largest $T||J||$ of a head, over its {} rows and $T = {}$, is {:.4g} (mean of these "
      "largest values over {}, {:.4g} to {:.4g}), and {:.4g} over all heads: the printed $1/4$ is "
      "{}; $1/2$ is the proved bound.{} The largest of more rows is larger.",
      entry.rows.value_or(0), temperatures, *entry.estimate, over, *entry.low, *entry.high, most,
      most <= 0.25 ? "kept here" : "exceeded", rows);
}

/// The share of a point's rows that are steeper there than at T = kCold.
double steeper_share(const AbstractPoint& point) {
  return static_cast<double>(point.rows_steeper.value_or(0)) /
         static_cast<double>(point.rows.value_or(0));
}

std::string colder_words(const PaperStatement& entry, std::string_view over) {
  const double share = *entry.estimate;
  std::string temperatures;
  for (const AbstractPoint& point : entry.points | std::views::reverse) {
    if (point.temperature == kCold) continue;
    temperatures += fmt::format("{}{} at $T = {}$", temperatures.empty() ? "" : ", ",
                                percent(steeper_share(point)), *point.temperature);
  }
  std::string words = fmt::format(
      "$||J||$ is larger at a $T$ below {} than at {} in {} of the rows of a head (mean over "
      "{} and these $T$, {} to {}): in {}.",
      kCold, kCold, percent(share), over, percent(*entry.low), percent(*entry.high), temperatures);
  const AbstractPoint &coldest = entry.points.front(), &cold = entry.points.back();
  const bool rises = *coldest.mean_norm > *cold.mean_norm;
  words += fmt::format(
      " The mean $||J||$ over all heads and rows is {:.3g} at $T = {}$ and {:.3g} at $T = {}$",
      *cold.mean_norm, *cold.temperature, *coldest.mean_norm, *coldest.temperature);
  if (rises && share < kMostRows) {
    words += ": it rises by the few rows whose largest logits all but tie";
  }
  return words + ". In a row where one logit leads, $||J||$ vanishes as $T$ falls.";
}

/// What a statement says, what it allows (low <= value <= high, or value < high), and what was
/// measured of it in words.
struct Statement {
  std::string_view id, says;
  double low, high;
  bool with_high;
  std::string_view allows;  ///< in words
  std::string (*measured)(const PaperStatement&, std::string_view over);
};

constexpr double kAny = std::numeric_limits<double>::infinity();

constexpr Statement kStatements[] = {
    {kGrowthStatement,
     "With $N = 5$ tokens selected, the distance $D$ between these and the rest grows roughly "
     "linearly in the length $L$.",
     0.5, 1.5, true, "a power between 0.5 and 1.5, nearer to linear than to constant or quadratic",
     growth_words},
    {kDistanceStatement,
     "Where the number of selected tokens grows in proportion to the sequence, the distance $D$ "
     "between the selected tokens and the rest collapses.",
     -kAny, 1, false, "a ratio below 1", distance_words},
    {kCriticalStatement,
     "From an $N$ of less than 6 % of $L$ on, the selection cannot be told from a random one.",
     -kAny, 0.06, false, "a share below 6 %", critical_words},
    {kShareStatement,
     "Beyond $N = 16$, between 70 % and 85 % of the selected tokens stay distinguishable.", 0.70,
     0.85, true, "a share between 70 % and 85 %", share_words},
    {kGradientStatement, "At temperatures below 0.1 the gradient is at most $1/(4T)$.", -kAny, 0.25,
     true, "at most 1/4 in every row", gradient_words},
    {kColderStatement, "A smaller temperature, below 0.1, makes the gradient larger.", kMostRows,
     kAny, true, "half of the rows or more", colder_words}};

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
  const bool is_of_lengths = entry.id == kDistanceStatement || entry.id == kGrowthStatement;
  return is_of_lengths && !entry.points.empty() && entry.points.front().length < kShortestOfPaper;
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
  entry.measured = entry.estimate ? statement.measured(entry, over) : "";
}

bool has_numbers(const PaperStatement& entry) {
  if (!entry.estimate) return true;
  const auto is_distance = [](const AbstractPoint& point) {
    return point.length && point.distance;
  };
  const auto is_critical = [](const AbstractPoint& point) { return point.length.has_value(); };
  const auto is_steeper = [](const AbstractPoint& point) {
    return point.temperature && point.mean_norm && point.rows.value_or(0) > 0;
  };
  const bool has_interval = entry.low && entry.high && !entry.points.empty();
  if (entry.id == kGrowthStatement || entry.id == kDistanceStatement) {
    return has_interval && std::ranges::all_of(entry.points, is_distance);
  }
  if (entry.id == kColderStatement) {
    return has_interval && std::ranges::all_of(entry.points, is_steeper);
  }
  return has_interval &&
         (entry.id != kCriticalStatement || std::ranges::all_of(entry.points, is_critical));
}

std::string_view allowed_words(std::string_view id) {
  const auto* const statement = std::ranges::find(kStatements, id, &Statement::id);
  return statement == std::end(kStatements) ? "" : statement->allows;
}

std::vector<std::string_view> statement_ids() {
  std::vector<std::string_view> ids;
  for (const Statement& statement : kStatements) ids.push_back(statement.id);
  return ids;
}

}  // namespace attn::report
