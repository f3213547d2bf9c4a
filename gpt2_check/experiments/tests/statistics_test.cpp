#include "gpt2_check/experiments/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "reports/record/record_json.hpp"

namespace attn::gpt2 {
namespace {

using nlohmann::json;

json json_of(const report::MaybeSpread& spread) {
  return json(report::json_of(spread));
}

TEST(Summary, QuartilesAreInterpolated) {
  // R's default: quantile(c(1, 2, 4, 7, 11, 16)).
  EXPECT_EQ(json_of(summary({16, 4, 1, 11, 2, 7})), (json{{"mean", 41.0 / 6},
                                                          {"min", 1.0},
                                                          {"q1", 2.5},
                                                          {"median", 5.5},
                                                          {"q3", 10.0},
                                                          {"max", 16.0}}));
  EXPECT_EQ(
      json_of(summary({3, 1, 2, 5, 4})),
      (json{{"mean", 3.0}, {"min", 1.0}, {"q1", 2.0}, {"median", 3.0}, {"q3", 4.0}, {"max", 5.0}}));
}

TEST(Summary, NullWhereThereIsNoNumber) {
  EXPECT_FALSE(summary({}));
  EXPECT_FALSE(summary({1, std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(summary({std::numeric_limits<double>::infinity(), 1}));
}

TEST(MeanInterval, IsStudents) {
  // Table of t: 0.975 with 4 degrees of freedom is 2.7764451, with 1 it is 12.7062047.
  const MeanInterval five = mean_interval({1, 2, 3, 4, 5});
  EXPECT_EQ(five.mean, 3);
  EXPECT_NEAR(five.high - 3, 2.7764451051977987 * std::sqrt(2.5 / 5), 1e-12);
  EXPECT_NEAR(3 - five.low, 2.7764451051977987 * std::sqrt(2.5 / 5), 1e-12);
  const MeanInterval two = mean_interval({-1, 1});
  EXPECT_EQ(two.mean, 0);
  EXPECT_NEAR(two.high, 12.706204736174698, 1e-10);
  EXPECT_NEAR(two.low, -12.706204736174698, 1e-10);
}

/// An interval of rows that do not differ is that over the heads; else it is wider, with degrees of
/// freedom between.
TEST(TwoWayInterval, CountsHeadsAndRows) {
  const std::vector<double> heads = {1, 2, 3, 4, 5};
  EXPECT_EQ(two_way_interval(heads, {3}).low, mean_interval(heads).low);
  EXPECT_EQ(two_way_interval(heads, {3, 3, 3}).low, mean_interval(heads).low);
  // Variances of means 0.5 and 1, of 4 and 1 degrees of freedom: 2.25/(0.25/4 + 1) = 2.1176, at
  // which the 0.975 quantile of t is 4.0815.
  const MeanInterval both = two_way_interval(heads, {2, 4});
  EXPECT_EQ(both.mean, 3);
  EXPECT_NEAR(both.high - 3, 4.0815 * std::sqrt(1.5), 1e-3);
  EXPECT_NEAR(both.high - 3, 3 - both.low, 1e-12);
}

/// Rows of one head go together, and so do heads in one row: it holds the mean nearly as often as
/// it says.
TEST(TwoWayInterval, HoldsTheMean) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  constexpr int kTries = 2000;
  int held = 0;
  for (int t = 0; t < kTries; ++t) {
    std::vector<double> by_head(20, 0), by_row(8, 0), of_heads(20), of_rows(8);
    for (double& each : of_heads) each = normal(engine);
    for (double& each : of_rows) each = 0.5 * normal(engine);
    for (std::size_t h = 0; h < 20; ++h) {
      for (std::size_t r = 0; r < 8; ++r) {
        const double value = of_heads[h] + of_rows[r] + normal(engine);
        by_head[h] += value / 8;
        by_row[r] += value / 20;
      }
    }
    const MeanInterval found = two_way_interval(by_head, by_row);
    held += found.low <= 0 && 0 <= found.high ? 1 : 0;
  }
  EXPECT_GT(held, 0.94 * kTries);
  EXPECT_LT(held, 0.99 * kTries);
}

TEST(Slope, IsThatOfTheLine) {
  EXPECT_NEAR(slope_of({0, 1, 3}, {1, 3, 7}), 2, 1e-15);
  EXPECT_NEAR(slope_of({0, 1, 2}, {0, 1, 0}), 0, 1e-15);
  EXPECT_TRUE(std::isnan(slope_of({0, 1}, {0, std::nan("")})));
}

TEST(PercentileInterval, TakesRanksOutwards) {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < 200; ++i) values[i] = static_cast<double>(199 - i);
  const MeanInterval found = percentile_interval(values);
  EXPECT_EQ(found.low, 4);     // floor(0.025 * 199)
  EXPECT_EQ(found.high, 195);  // ceil(0.975 * 199)
  EXPECT_EQ(found.mean, 99);
}

using Values = std::vector<double>;

/// n m max |F_a - F_b| over all observed values, from the definition.
std::int64_t counted_deviation(const Values& a, const Values& b) {
  Values values = a;
  values.insert(values.end(), b.begin(), b.end());
  std::int64_t largest = 0;
  for (const double x : values) {
    const auto below = [x](double y) { return y <= x; };
    const auto in_a = std::ranges::count_if(a, below) * static_cast<std::int64_t>(b.size());
    const auto in_b = std::ranges::count_if(b, below) * static_cast<std::int64_t>(a.size());
    largest = std::max<std::int64_t>(largest, std::abs(in_a - in_b));
  }
  return largest;
}

/// The share of all interleavings of n and m observations with at least this deviation.
double counted_p(std::size_t n, std::size_t m, std::int64_t deviation) {
  std::vector<int> from_first(n + m, 0);
  std::fill(from_first.begin() + static_cast<std::ptrdiff_t>(m), from_first.end(), 1);
  double reached = 0;
  double all = 0;
  do {
    Values a;
    Values b;
    for (std::size_t k = 0; k < n + m; ++k) {
      (from_first[k] == 1 ? a : b).push_back(static_cast<double>(k));
    }
    ++all;
    if (counted_deviation(a, b) >= deviation) ++reached;
  } while (std::ranges::next_permutation(from_first).found);
  return reached / all;
}

TEST(KsTest, ExactPIsTheShareOfAllInterleavings) {
  for (std::size_t n = 1; n <= 6; ++n) {
    for (std::size_t m = 1; m <= 5; ++m) {
      const auto most = static_cast<std::int64_t>(n * m);
      for (std::int64_t deviation = 0; deviation <= most + 1; ++deviation) {
        EXPECT_NEAR(ks_exact_p(n, m, deviation), counted_p(n, m, deviation), 1e-14)
            << n << " " << m << " " << deviation;
      }
    }
  }
}

TEST(KsTest, ExactPOfEqualSizesFollowsTheReflectionPrinciple) {
  // Gnedenko and Korolyuk: P(n D >= k) = 2 sum_{i >= 1} (-1)^{i-1} C(2n, n + i k) / C(2n, n).
  const std::size_t n = 144;
  for (const std::int64_t k : {10, 20, 27, 28, 60, 144}) {
    long double sum = 0;
    for (std::int64_t i = 1; i * k <= 144; ++i) {
      long double ratio = 1;  // C(2n, n + ik) / C(2n, n)
      for (std::int64_t j = 1; j <= i * k; ++j) {
        ratio *= static_cast<long double>(144 - i * k + j) / static_cast<long double>(144 + j);
      }
      sum += (i % 2 == 1 ? 2 : -2) * ratio;
    }
    const auto expected = static_cast<double>(sum);
    EXPECT_NEAR(ks_exact_p(n, n, k * 144), expected, 1e-13 * expected) << k;
  }
}

TEST(KsTest, DeviationCountsTiesOnBothSidesAtOnce) {
  std::mt19937_64 engine(7);
  for (int trial = 0; trial < 200; ++trial) {
    Values a(1 + engine() % 12);
    Values b(1 + engine() % 9);
    for (double& x : a) x = static_cast<double>(engine() % 6);
    for (double& x : b) x = static_cast<double>(engine() % 6);
    EXPECT_EQ(ks_deviation(a, b), counted_deviation(a, b)) << trial;
  }
}

}  // namespace
}  // namespace attn::gpt2
