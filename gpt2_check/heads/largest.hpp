#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace attn::gpt2 {

/// The indices of all keys: first the `depth` largest keys, largest first, ties to the lower index;
/// then the others in ascending order. depth <= number of keys.
inline std::vector<std::size_t> largest_first(std::span<const double> keys, std::size_t depth) {
  std::vector<std::size_t> order(keys.size());
  if (depth == 0 || depth == keys.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
  } else {
    // The least that is taken is found among plain numbers, which is faster than among indices.
    std::vector<double> sorted(keys.begin(), keys.end());
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(depth - 1);
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    const double least = *last;
    auto ties = depth - static_cast<std::size_t>(
                            std::ranges::count_if(keys, [&](double key) { return key > least; }));
    std::size_t taken = 0;
    std::size_t left = depth;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool is_tie = keys[i] == least && ties > 0;
      if (is_tie) --ties;
      const bool take = taken < depth && (keys[i] > least || is_tie || left == keys.size());
      order[take ? taken++ : left++] = i;
    }
  }
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(depth),
            [&](std::size_t a, std::size_t b) {
              return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
            });
  return order;
}

/// The indices of the `count` largest keys, largest first, ties to the lower index.
inline std::vector<std::size_t> largest(std::span<const double> keys, std::size_t count) {
  std::vector<std::size_t> order = largest_first(keys, count);
  order.resize(count);
  return order;
}

}  // namespace attn::gpt2
