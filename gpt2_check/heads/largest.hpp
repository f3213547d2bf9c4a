#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace attn::gpt2 {

/// The indices of the `count` largest keys, largest first, ties to the lower index.
inline std::vector<std::size_t> largest(std::span<const double> keys, std::size_t count) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
                    });
  order.resize(count);
  return order;
}

}  // namespace attn::gpt2
