#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gpt2_check/experiments/statistics.hpp"
#include "reports/io/record_json.hpp"

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

TEST(Summary, OneValueIsAllOfThem) {
  const json one = json_of(summary({-2.5}));
  for (const char* name : {"mean", "min", "q1", "median", "q3", "max"}) EXPECT_EQ(one[name], -2.5);
}

TEST(Summary, NullWhereThereIsNoNumber) {
  EXPECT_FALSE(summary({}));
  EXPECT_FALSE(summary({1, std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(summary({std::numeric_limits<double>::infinity(), 1}));
}

TEST(MeanInterval, IsStudents) {
  // Table of t: 0.975 with 4 degrees of freedom is 2.7764451, with 1 it is 12.7062047.
  const MeanInterval five = mean_interval({1, 2, 3, 4, 5}, 0.95);
  EXPECT_EQ(five.mean, 3);
  EXPECT_NEAR(five.high - 3, 2.7764451051977987 * std::sqrt(2.5 / 5), 1e-12);
  EXPECT_NEAR(3 - five.low, 2.7764451051977987 * std::sqrt(2.5 / 5), 1e-12);
  const MeanInterval two = mean_interval({-1, 1}, 0.95);
  EXPECT_EQ(two.mean, 0);
  EXPECT_NEAR(two.high, 12.706204736174698, 1e-10);
  EXPECT_NEAR(two.low, -12.706204736174698, 1e-10);
  // 0.95 with 2 degrees of freedom is 2.9199856.
  EXPECT_NEAR(mean_interval({0, 3, 6}, 0.9).high, 3 + 2.919985580353725 * std::sqrt(3.0), 1e-10);
}

TEST(MeanInterval, EqualValuesLeaveNoDoubt) {
  const MeanInterval same = mean_interval({0.25, 0.25, 0.25}, 0.95);
  EXPECT_EQ(same.low, 0.25);
  EXPECT_EQ(same.mean, 0.25);
  EXPECT_EQ(same.high, 0.25);
}

}  // namespace
}  // namespace attn::gpt2
