#include "theory/number/rationals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <utility>

#include "theory/number/sums.hpp"

namespace attn {
namespace {

/// A number by its place, and a double that is at most two units in the last place off.
struct Ranked {
  double near;
  std::size_t index;
};

/// Whether such doubles are too far apart for rounding to have changed the order of the numbers.
bool certainly_above(double a, double b) {
  return a - b > 0x1p-48 * (std::abs(a) + std::abs(b)) + 0x1p-1020;
}

/// Up to so many doubles are placed by counting those before them: more comparisons than sorting
/// makes, but none whose outcome the processor has to guess.
constexpr std::size_t kFew = 64;

bool are_doubles(const std::vector<Rational>& numbers) {
  return std::ranges::all_of(numbers, &Rational::is_double);
}

bool are_few_doubles(const std::vector<Rational>& numbers) {
  return numbers.size() <= kFew && are_doubles(numbers);
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

/// Holds the product of two integers of 53 bits.
__extension__ using Wide = unsigned __int128;

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
    ranked.push_back({number.nearest(), ranked.size()});
  }
  std::ranges::sort(ranked, [&](const Ranked& a, const Ranked& b) {
    if (certainly_above(a.near, b.near)) return true;
    if (certainly_above(b.near, a.near)) return false;
    const auto exactly = numbers[b.index] <=> numbers[a.index];
    return std::is_eq(exactly) ? a.index < b.index : std::is_lt(exactly);
  });
  std::vector<std::size_t> order;
  order.reserve(ranked.size());
  for (const Ranked& rank : ranked) order.push_back(rank.index);
  return order;
}

Rational exact_dot(std::span<const double> a, std::span<const double> b) {
  // One integer over a power of two. Its limbs of 32 bits are sums of their own, so that nothing
  // is carried, and no common factors are looked for, on the way.
  struct Product {
    Wide odd;
    int exponent;
    std::int64_t sign;
  };
  std::vector<Product> products;
  products.reserve(a.size());
  int least = 0, most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const OddAndPower of_a = parts_of(a[k]);
    const OddAndPower of_b = parts_of(b[k]);
    const int exponent = of_a.exponent + of_b.exponent;
    products.push_back(
        {Wide{of_a.odd} * of_b.odd, exponent, std::signbit(a[k]) == std::signbit(b[k]) ? 1 : -1});
    least = std::min(least, exponent);
    most = std::max(most, exponent);
  }
  constexpr int kLimbBits = 32, kLimbsOfProduct = 5;
  std::vector<std::int64_t> limbs(static_cast<std::size_t>((most - least) / kLimbBits) +
                                  kLimbsOfProduct);
  for (const auto& [odd, exponent, sign] : products) {
    const int place = exponent - least;
    std::int64_t* limb = &limbs[static_cast<std::size_t>(place / kLimbBits)];
    *limb += sign * static_cast<std::uint32_t>(odd << place % kLimbBits);
    for (Wide rest = odd >> (kLimbBits - place % kLimbBits); rest != 0; rest >>= kLimbBits) {
      *++limb += sign * static_cast<std::uint32_t>(rest);
    }
  }
  Integer sum = 0;
  for (const std::int64_t limb : std::views::reverse(limbs)) {
    sum <<= kLimbBits;
    sum += limb;
  }
  LongRational quotient(sum);
  auto& parts = quotient.backend().data();
  mpq_div_2exp(parts, parts, static_cast<mp_bitcnt_t>(-least));
  return Rational(std::move(quotient));
}

namespace {

/// NaN where a product, or a sum of some of them, is no double.
double dot_in_doubles(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size() && !std::isnan(sum); ++k) {
    sum = exact_sum(sum, exact_product(a[k].nearest(), b[k].nearest()));
  }
  return sum;
}

std::vector<double> as_doubles(const std::vector<Rational>& numbers) {
  std::vector<double> doubles;
  doubles.reserve(numbers.size());
  for (const Rational& number : numbers) doubles.push_back(number.nearest());
  return doubles;
}

}  // namespace

Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  if (are_doubles(a) && are_doubles(b)) {
    const double sum = dot_in_doubles(a, b);
    return std::isnan(sum) ? exact_dot(as_doubles(a), as_doubles(b)) : Rational(sum);
  }
  return std::inner_product(a.begin(), a.end(), b.begin(), Rational(0));
}

/// Exactly of the pairs alone that doubles cannot tell from the farthest before them.
Rational squared_diameter(const std::vector<std::vector<Rational>>& x) {
  std::vector<std::vector<ErrorDouble>> rough;
  for (const std::vector<Rational>& vector : x) {
    std::vector<ErrorDouble>& enclosed = rough.emplace_back();
    for (const Rational& coordinate : vector) enclosed.push_back(from<ErrorDouble>(coordinate));
  }
  Rational largest = 0;
  double least = 0;  // that it is, at least
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const ErrorDouble squared = squared_distance(rough[i], rough[k]);
      if (squared.upper() < least) continue;
      largest = std::max(largest, squared_distance(x[i], x[k]));
      least = std::max(least, squared.lower());
    }
  }
  return largest;
}

std::size_t pivot_of(const std::vector<Rational>& v) {
  const auto first = std::ranges::find_if(v, [](const Rational& c) { return c != 0; });
  return static_cast<std::size_t>(first - v.begin());
}

bool is_along(const std::vector<Rational>& u, const std::vector<Rational>& v, std::size_t pivot) {
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (u[k] * v[pivot] != u[pivot] * v[k]) return false;
  }
  return true;
}

}  // namespace attn
