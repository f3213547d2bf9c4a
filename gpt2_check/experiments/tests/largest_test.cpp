#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "gpt2_check/heads/arrays.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Order = std::vector<std::size_t>;
using Keys = std::vector<double>;

/// All indices by a comparison sort.
Order in_order(const Keys& keys) {
  Order order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const bool a_is_nan = std::isnan(keys[a]);
    const bool b_is_nan = std::isnan(keys[b]);
    return a_is_nan || b_is_nan ? !a_is_nan && b_is_nan : keys[a] > keys[b];
  });
  return order;
}

void expect_in_order(const Keys& keys) {
  const Order expected = in_order(keys);
  for (std::size_t depth = 0; depth <= keys.size(); depth += 1 + keys.size() / 7) {
    SCOPED_TRACE(depth);
    Order found = largest_first(keys, depth);
    ASSERT_EQ(found.size(), keys.size());
    const auto end = static_cast<std::ptrdiff_t>(depth);
    EXPECT_TRUE(std::equal(found.begin(), found.begin() + end, expected.begin()));
    EXPECT_EQ(largest(keys, depth), Order(expected.begin(), expected.begin() + end));
    std::ranges::sort(found);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], i);  // each once
  }
}

Keys drawn(std::size_t count, std::uint64_t seed, double (*of)(double)) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Keys keys(count);
  for (double& key : keys) key = of(normal(engine));
  return keys;
}

TEST(LargestFirst, IsTheOrderOfAComparisonSort) {
  for (const std::size_t count : {1U, 2U, 3U, 17U, 100U, 1024U}) {
    SCOPED_TRACE(count);
    expect_in_order(drawn(count, count, [](double x) { return x; }));
    expect_in_order(drawn(count, count, [](double x) { return std::exp(30 * x); }));
    expect_in_order(drawn(count, count, [](double x) { return std::round(3 * x); }));
    expect_in_order(drawn(count, count, [](double x) { return x < 0 ? -0.0 : 0.0; }));
    expect_in_order(drawn(count, count, [](double x) { return 5e-324 * std::round(4 * x); }));
    expect_in_order(drawn(count, count, [](double x) { return 1 + 0x1p-52 * std::round(9 * x); }));
  }
}

/// One key far from all others leaves them a single bucket.
TEST(LargestFirst, TakesKeysOfAnySpread) {
  for (const double far : {1e300, -1e300, 1e17, -1e17, kInfinity, -kInfinity, kNaN}) {
    SCOPED_TRACE(far);
    Keys keys = drawn(200, 4, [](double x) { return x; });
    keys[70] = far;
    expect_in_order(keys);
    keys[71] = far;
    keys[9] = -far;
    expect_in_order(keys);
  }
  expect_in_order(Keys(40, kNaN));
  expect_in_order(Keys(40, -kInfinity));
  expect_in_order({1.7e308, -1.7e308, 0, kInfinity, kNaN, -kInfinity});
}

TEST(LargestFirst, OfNothingIsNothing) {
  EXPECT_TRUE(largest_first({}, 0).empty());
}

}  // namespace
}  // namespace attn::gpt2
