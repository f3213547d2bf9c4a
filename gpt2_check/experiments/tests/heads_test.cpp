#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/farthest_tokens.hpp"
#include "gpt2_check/heads/row_weights.hpp"
#include "gpt2_check/heads/set_pass.hpp"
#include "gpt2_check/tests/random_head.hpp"

namespace attn::gpt2 {
namespace {

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

TEST(Times, IsTheProductWithRowsOfAMatrix) {
  const Rows a = Rows::Random(3, 5), b = Rows::Random(8, 7);
  EXPECT_TRUE(times(a, b.middleRows(2, 5)).isApprox(a * b.middleRows(2, 5), 1e-14));
}

TEST(CountUpTo, CountsTheTokensOutsideForEachLevel) {
  for (const std::size_t tokens : {1U, 8U, 61U}) {
    const Keys values = drawn(tokens, 4, [](double value) { return std::round(4 * value); });
    const Keys outside = drawn(tokens, 5, [](double value) { return value > 0 ? 1.0 : 0.0; });
    const Levels levels = {-kInfinity, -4, -1, 0, 1, 2, 5, kInfinity};
    const Levels found = count_up_to(values.data(), outside.data(), tokens, levels);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      double expected = 0;
      for (std::size_t i = 0; i < tokens; ++i) expected += values[i] <= levels[k] ? outside[i] : 0;
      EXPECT_EQ(found[k], expected) << tokens << ", level " << levels[k];
      EXPECT_EQ(count_up_to(values.data(), outside.data(), tokens, levels[k]), expected);
    }
  }
}

TEST(LargestFirst, IsTheOrderOfAComparisonSort) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 17U, 100U, 1024U}) {
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

void expect_rows(const Head& head, Eigen::Index step) {
  LogitRows rows(head);
  for (Eigen::Index row = 0; row < head.keys(); row += step) {
    const std::span<const double> found = rows.at(row);
    const Eigen::VectorXd expected = raw_logits(head, row);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(expected.size())) << row;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], expected[static_cast<Eigen::Index>(i)], 1e-13) << row << ", " << i;
    }
  }
}

TEST(LogitRows, AreThoseOfTheHead) {
  for (const Mask& mask : {Mask{}, Mask{.full = true}, Mask{.window = 1}, Mask{.window = 50}}) {
    Head head = random_head(100, 4, 3, 1, 32);
    head.mask = mask;
    for (const Eigen::Index step : {1, 7, 40}) expect_rows(head, step);
    head.scores = Rows(head.q * head.k.transpose());
    head.q = head.k = Rows();
    for (const Eigen::Index step : {1, 7, 40}) expect_rows(head, step);
  }
}

TEST(LogitRows, DoNotDependOnTheRowsBefore) {
  const Head head = random_head(100, 4, 3, 1, 33);
  LogitRows in_order(head);
  for (Eigen::Index row = 0; row < 100; ++row) {
    const std::span<const double> found = in_order.at(row);
    LogitRows alone(head);
    const std::span<const double> expected = alone.at(row);
    EXPECT_TRUE(std::ranges::equal(found, expected)) << row;
  }
  LogitRows back(head);
  const double last = back.at(99).front();
  back.at(3);
  EXPECT_EQ(back.at(99).front(), last);
}

using Set = std::vector<std::size_t>;

/// By the definition. `set` is counted from `first`.
double largest_square(const Rows& x, Eigen::Index first, Eigen::Index end, const Set& set) {
  double largest = 0;
  for (Eigen::Index i = first; i < end; ++i) {
    if (std::ranges::find(set, static_cast<std::size_t>(i - first)) != set.end()) continue;
    for (const std::size_t j : set) {
      const Eigen::Index token = first + static_cast<Eigen::Index>(j);
      largest = std::max(largest, (x.row(i) - x.row(token)).squaredNorm());
    }
  }
  return largest;
}

Set random_set(std::size_t tokens, std::size_t n, std::mt19937_64& stream) {
  Set all(tokens);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::shuffle(all, stream);
  all.resize(n);
  return all;
}

/// The tokens with the longest embeddings: what lies far from any token is among them.
Set longest(const Rows& x, Eigen::Index first, Eigen::Index end, std::size_t n) {
  Set all(static_cast<std::size_t>(end - first));
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::sort(all, std::greater(), [&](std::size_t i) {
    return x.row(first + static_cast<Eigen::Index>(i)).norm();
  });
  all.resize(n);
  return all;
}

/// `stride`: 0 for steps of 1 to 3 rows.
void expect_definition(const Mask& mask, Eigen::Index stride = 0) {
  Head head = random_head(90, 4, 3, 1, 31);
  for (Eigen::Index i = 0; i < 90; i += 3) head.x.row(i) *= 20;  // outliers, 30 of them
  head.x.row(41) = head.x.row(7);
  const Geometry geometry(head);
  FarthestTokens farthest(geometry);
  std::mt19937_64 stream(1);
  for (Eigen::Index row = 1; row<90; row += stride> 0 ? stride : 1 + row % 3) {
    const Eigen::Index first = mask.first(row), end = mask.end(row, 90);
    farthest.see(first, end);
    const auto tokens = static_cast<std::size_t>(end - first);
    for (const std::size_t n : {std::size_t{1}, tokens / 3, tokens / 2, tokens - 1, tokens}) {
      if (n == 0) continue;
      for (const Set& set : {random_set(tokens, n, stream), longest(head.x, first, end, n)}) {
        const double expected = largest_square(head.x, first, end, set);
        EXPECT_NEAR(farthest.largest_square(set), expected, 1e-10 * expected)
            << "row " << row << ", N = " << n;
      }
    }
  }
}

/// The farthest tokens are those of the definition, also in windows that have no token in common.
TEST(FarthestTokens, FollowTheDefinition) {
  expect_definition({});
  expect_definition({.full = true});
  for (const std::int64_t window : {2, 5, 40}) {
    expect_definition({.window = window});
    expect_definition({.window = window}, 44);
  }
}

}  // namespace
}  // namespace attn::gpt2
