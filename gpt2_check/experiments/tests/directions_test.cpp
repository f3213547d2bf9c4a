// How far embeddings are from uniform directions on a sphere.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gpt2_check/experiments/head_measures.hpp"

namespace attn::gpt2 {
namespace {

TEST(Directions, OfTheAxes) {
  const Directions found = directions({.x = 3 * Rows::Identity(4, 4)});
  EXPECT_NEAR(found.length_spread, 0, 1e-15);
  EXPECT_NEAR(found.mean_direction, 0.5, 1e-15);  // (1, 1, 1, 1)/4
  EXPECT_NEAR(found.leading_share, 0.25, 1e-15);
}

TEST(Directions, OfALineAndOfLengthsThatDiffer) {
  Rows x(4, 2);
  x << 1, 0, -3, 0, 1, 0, 3, 0;
  const Directions found = directions({.x = x});
  EXPECT_NEAR(found.length_spread, 0.5, 1e-15);  // 1 about 2
  EXPECT_NEAR(found.mean_direction, 0.5, 1e-15);
  EXPECT_NEAR(found.leading_share, 1, 1e-15);
}

TEST(Directions, LeaveOutTokensWithoutOne) {
  Rows x = Rows::Zero(3, 2);
  x(1, 0) = 2;
  const Directions found = directions({.x = x});
  EXPECT_EQ(found.length_spread, 0);
  EXPECT_EQ(found.mean_direction, 1);
  EXPECT_NEAR(found.leading_share, 1, 1e-15);
  EXPECT_TRUE(std::isnan(directions({.x = Rows::Zero(3, 2)}).leading_share));
}

TEST(Directions, OfUniformOnesAreSmall) {
  std::mt19937_64 stream(5);
  std::normal_distribution<double> normal;
  const Rows x = Rows::NullaryExpr(4000, 10, [&] { return normal(stream); });
  const Directions found = directions({.x = x});
  EXPECT_LT(found.mean_direction, 4 / std::sqrt(4000.0));
  EXPECT_NEAR(found.leading_share, 0.1, 0.02);
}

}  // namespace
}  // namespace attn::gpt2
