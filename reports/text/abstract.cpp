#include "reports/text/abstract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "reports/judge/statements.hpp"
#include "reports/text/format.hpp"

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
  double most = 0;
  for (const AbstractPoint& point : entry.points) {
    if (!(*point.largest <= most)) most = *point.largest;
    if (std::isnan(most)) break;
  }
  return fmt::format(
      "The largest $T||J||$ over the rows of a head is {:.4g} on average ({:.4g} to {:.4g}), and "
      "{:.4g} over all heads: the printed $1/4$ is {}; $1/2$ is the proved bound.",
      *entry.estimate, *entry.low, *entry.high, most, most <= 0.25 ? "kept here" : "exceeded");
}

struct Statement {
  std::string_view id, says;
  std::string (*measured)(const PaperStatement&, std::string_view over);
};

constexpr Statement kStatements[] = {
    {kDistanceStatement,
     "Where the number of selected tokens grows in proportion to the sequence, the distance $D$ "
     "between the selected tokens and the rest collapses.",
     distance_words},
    {kShareStatement,
     "Beyond $N = 16$, between 70 % and 85 % of the selected tokens stay distinguishable.",
     share_words},
    {kGradientStatement, "At temperatures below 0.1 the gradient is at most $1/(4T)$.",
     gradient_words}};

}  // namespace

void put_into_words(PaperStatement& entry, std::string_view over) {
  const auto* const statement = std::ranges::find(kStatements, entry.id, &Statement::id);
  if (statement == std::end(kStatements)) {
    throw std::logic_error(fmt::format("no statement is called \"{}\"", entry.id));
  }
  entry.says = statement->says;
  entry.measured = statement->measured(entry, over);
}

std::string agreement(const PaperStatement& entry) {
  if (!entry.judged) {
    return is_too_short(entry) ? "Too short to tell: the paper has 32 to 1,024 tokens."
                               : "No verdict: the paper speaks of GPT-2 124M.";
  }
  if (!entry.agrees) return "Cannot tell.";
  return *entry.agrees ? "Agrees." : "Does not agree.";
}

std::string interval_words(const PaperStatement& entry) {
  if (!entry.estimate) return {};
  std::string words = "Estimate " + short_number(*entry.estimate);
  if (entry.low && entry.high) {
    words += fmt::format(", {}interval {} to {}",
                         entry.confidence ? percent(*entry.confidence) + " " : "",
                         short_number(*entry.low), short_number(*entry.high));
  }
  if (entry.samples) {
    words +=
        fmt::format(", {} {}", grouped(*entry.samples), *entry.samples == 1 ? "sample" : "samples");
  }
  return words + ".";
}

}  // namespace attn::report
