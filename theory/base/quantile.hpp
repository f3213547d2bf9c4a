#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace attn {

/// The p-quantile of a sample, p in [0, 1]: between the values of rank floor(p (n - 1)), counted
/// from 0, and the next, interpolated linearly. Definition 7 of Hyndman and Fan (1996), the default
/// of NumPy and R; of an even number the median is the mean of the two in the middle. `at(rank)` is
/// the value of a rank in ascending order. Needs a value.
template <class At>
double quantile(std::uint64_t count, double p, const At& at) {
  const double rank = p * static_cast<double>(count - 1);
  const auto below = static_cast<std::uint64_t>(rank);
  const double share = rank - static_cast<double>(below), low = at(below);
  return share > 0 ? std::lerp(low, at(below + 1), share) : low;
}

/// The p-quantile of values in ascending order, p in [0, 1], interpolated linearly between the two
/// nearest ranks (definition 7 of Hyndman and Fan, 1996). Needs a value.
inline double quantile(std::span<const double> ascending, double p) {
  return quantile(ascending.size(), p, [&](std::uint64_t rank) { return ascending[rank]; });
}

/// The median of values in any order; the mean of the two in the middle where their number is even.
/// Needs a value.
inline double median(std::vector<double> values) {
  return quantile(values.size(), 0.5, [&](std::uint64_t rank) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::ranges::nth_element(values, at);
    return *at;
  });
}

}  // namespace attn
