#pragma once

#include <cstddef>
#include <vector>

namespace attn {

/// The sum of some numbers, the sum of their squares, and the sum of the products of any two of
/// them.
template <class S>
struct PowerSums {
  S first{0.0}, second{0.0}, pairs{0.0};

  void add(const S& x) {
    pairs += x * first;
    first += x;
    second += x * x;
  }

  friend PowerSums operator+(const PowerSums& a, const PowerSums& b) {
    return {.first = a.first + b.first,
            .second = a.second + b.second,
            .pairs = a.pairs + b.pairs + a.first * b.first};
  }
};

/// The sums over all numbers but one, for each of them: over those before it and those after it, so
/// that nothing is subtracted.
template <class S>
std::vector<PowerSums<S>> sums_without_one(const std::vector<S>& numbers) {
  std::vector<PowerSums<S>> sums;
  sums.reserve(numbers.size());
  PowerSums<S> before;
  for (const S& number : numbers) {
    sums.push_back(before);
    before.add(number);
  }
  PowerSums<S> after;
  for (std::size_t i = numbers.size(); i-- > 0;) {
    sums[i] = sums[i] + after;
    after.add(numbers[i]);
  }
  return sums;
}

}  // namespace attn
