#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attn {

/// More sets than this are sampled, not enumerated.
inline constexpr std::size_t kMostSets = 20'000;

/// Nor are sets of tokens of this many coordinates in all together.
inline constexpr std::size_t kMostAdded = 5'000'000;

/// C(n, k), or any number above kMostSets where it is larger.
inline std::size_t sets_of(std::size_t n, std::size_t k) {
  std::size_t count = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    count = count * (n - i + 1) / i;
    if (count > kMostSets) return count;
  }
  return count;
}

/// Whether the mean over all sets of `count` of L tokens is taken set by set. `width`: d.
inline bool is_enumerated(std::size_t tokens, std::size_t count, std::size_t width) {
  const std::size_t sets = sets_of(tokens, count);
  return sets <= kMostSets && sets * tokens * width <= kMostAdded;
}

/// Calls visit(selected) for every set of `count` of the tokens 0..n-1, as flags.
template <class Visit>
void for_each_set(std::size_t n, std::size_t count, Visit visit) {
  std::vector<bool> selected(n);
  std::fill_n(selected.begin(), count, true);
  do {
    visit(selected);
  } while (std::prev_permutation(selected.begin(), selected.end()));
}

}  // namespace attn
