#include "theory/base/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn {
namespace {

/// How many letters must be put in, left out or replaced to make `b` of `a`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, replaced}));
    }
  }
  return row.back();
}

/// What to say of the known words beside an unknown one: all of them where there are few, else the
/// nearest, by edit distance.
std::string known_words(std::string_view word, std::vector<std::string_view> known) {
  constexpr std::size_t kFew = 5;
  if (known.empty()) return "there is none";
  if (known.size() <= kFew) return fmt::format("there is: {}", fmt::join(known, ", "));
  std::ranges::stable_sort(known, {}, [&](std::string_view k) { return edit_distance(word, k); });
  known.resize(kFew);
  return fmt::format("nearest: {}", fmt::join(known, ", "));
}

}  // namespace

BadInput no_claim(std::string_view id, std::string_view name, std::vector<std::string_view> known) {
  constexpr std::size_t kLongestCompared = 60;
  return BadInput({.kind = BadInputKind::unknown_name,
                   .expected = fmt::format("a claim of {}", name),
                   .found = in_quotes(id),
                   .advice = known_words(id.substr(0, kLongestCompared), std::move(known))});
}

}  // namespace attn
