#include "theory/number/falling_order.hpp"

#include <algorithm>
#include <compare>

namespace attn {
namespace {

/// A number by its place. Most pairs differ in the nearest doubles, which rounding leaves in order.
struct Ranked {
  double near;
  std::size_t index;
};

}  // namespace

std::vector<std::size_t> falling_order(const std::vector<Rational>& numbers) {
  std::vector<Ranked> ranked;
  ranked.reserve(numbers.size());
  for (const Rational& number : numbers) {
    ranked.push_back({number.is_short() ? number.nearest() : kNoDouble, ranked.size()});
  }
  std::ranges::sort(ranked, [&](const Ranked& a, const Ranked& b) {
    if (a.near > b.near) return true;
    if (a.near < b.near) return false;
    const auto exactly = numbers[b.index] <=> numbers[a.index];
    return std::is_eq(exactly) ? a.index < b.index : std::is_lt(exactly);
  });
  std::vector<std::size_t> order;
  order.reserve(ranked.size());
  for (const Ranked& rank : ranked) order.push_back(rank.index);
  return order;
}

}  // namespace attn
