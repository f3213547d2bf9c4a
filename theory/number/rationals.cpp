#include "theory/number/rationals.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>

namespace attn {
namespace {

/// A number by its place. Most pairs differ in the nearest doubles, which rounding leaves in order.
struct Ranked {
  double near;
  std::size_t index;
};

/// Up to so many doubles are placed by counting those before them: more comparisons than sorting
/// makes, but none whose outcome the processor has to guess.
constexpr std::size_t kFew = 64;

bool are_few_doubles(const std::vector<Rational>& numbers) {
  return numbers.size() <= kFew && std::ranges::all_of(numbers, &Rational::is_double);
}

std::vector<std::size_t> order_by_counting(const std::vector<Rational>& numbers) {
  std::array<double, kFew> values;
  std::array<std::size_t, kFew> place;  // how many come before
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values[i] = numbers[i].nearest();
    place[i] = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const std::size_t is_before = values[j] >= values[i] ? 1 : 0;
      place[i] += is_before;
      place[j] += 1 - is_before;
    }
  }
  std::vector<std::size_t> order(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) order[place[i]] = i;
  return order;
}

/// Throws for NaN and infinities.
OddAndPower parts_of(double value) {
  return odd_and_power(exact(value).nearest());
}

}  // namespace

Rational largest_absolute(const std::vector<Rational>& values) {
  if (values.empty()) return 0;
  const auto [least, most] = std::ranges::minmax_element(values);
  return std::max(abs(*least), abs(*most));
}

Rational least_absolute(const std::vector<Rational>& values) {
  Rational least = abs(values.front());
  for (const Rational& value : values) least = std::min(least, abs(value));
  return least;
}

bool is_zero(const std::vector<Rational>& values) {
  return std::ranges::all_of(values, [](const Rational& value) { return value == 0; });
}

Rational dot(const std::vector<Rational>& u, const std::vector<Rational>& v) {
  return std::inner_product(u.begin(), u.end(), v.begin(), Rational(0));
}

std::vector<Rational> about_mean(std::vector<Rational> numbers) {
  const Rational sum = std::accumulate(numbers.begin(), numbers.end(), Rational(0));
  const Rational mean = sum / numbers.size();
  for (Rational& number : numbers) number -= mean;
  return numbers;
}

std::vector<std::size_t> falling_order(const std::vector<Rational>& numbers) {
  if (are_few_doubles(numbers)) return order_by_counting(numbers);
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

Rational exact_dot(std::span<const double> a, std::span<const double> b) {
  // One integer over a power of two: no common factors are looked for on the way.
  std::vector<OddAndPower> left, right;
  int least = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    left.push_back(parts_of(a[k]));
    right.push_back(parts_of(b[k]));
    least = std::min(least, left[k].exponent + right[k].exponent);
  }
  Integer sum = 0;
  Integer term;
  for (std::size_t k = 0; k < a.size(); ++k) {
    term = left[k].odd;
    term *= right[k].odd;
    term <<= left[k].exponent + right[k].exponent - least;
    std::signbit(a[k]) == std::signbit(b[k]) ? sum += term : sum -= term;
  }
  return {sum, Integer(1) << -least};
}

}  // namespace attn
