#include "theory/recheck/probability.hpp"

#include <gtest/gtest.h>

#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::recheck {
namespace {

/// Over all 2^n sign patterns.
Rational plain_on_line(const std::vector<Rational>& radii, const Rational& r) {
  Rational inside = 0;
  const std::size_t patterns = std::size_t{1} << radii.size();
  for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
    Rational sum = 0;
    for (std::size_t j = 0; j < radii.size(); ++j) {
      sum += ((pattern >> j) & 1U) != 0 ? Rational(-radii[j]) : radii[j];
    }
    if (::abs(sum) <= r) inside += 1;
  }
  return inside / Rational(patterns);
}

TEST(ProbabilityOnLine, IsTheShareOfSignPatterns) {
  const std::vector<Rational> radii = {{1, 2}, {1, 3}, {1, 3}, {1, 7}, 0, {2, 5}, {1, 2}};
  for (const Rational& r :
       {Rational(0), Rational(1, 7), Rational(1, 3), Rational(1), Rational(9)}) {
    EXPECT_EQ(probability_on_line(radii, r), plain_on_line(radii, r)) << r;
  }
}

TEST(ProbabilityOnLine, CountsTheEnds) {
  EXPECT_EQ(probability_on_line({1, 1}, 2), 1);
  EXPECT_EQ(probability_on_line({1, 1}, Rational(19, 10)), Rational(1, 2));
  EXPECT_EQ(probability_on_line({1, 1}, 0), Rational(1, 2));
  EXPECT_EQ(probability_on_line({}, 0), 1);
}

TEST(ProbabilityOnLine, TakesManyEqualRadii) {
  const std::vector<Rational> radii(1000, Rational(1, 1000));
  EXPECT_EQ(probability_on_line(radii, 1), 1);
  EXPECT_LT(probability_on_line(radii, Rational(1, 1000)), Rational(3, 100));
}

/// One selected token is at s itself, and one outside of radius c at |c - 1| or c + 1 from it.
TEST(ExclusiveShareOnLine, OfOneTokenIsTheChanceThatTheOthersKeepAway) {
  EXPECT_EQ(exclusive_share_on_line({1}, {3}, 1), 1);
  EXPECT_EQ(exclusive_share_on_line({1}, {3}, 2), Rational(1, 2));
  EXPECT_EQ(exclusive_share_on_line({1}, {3, 2}, 2), Rational(1, 4));
  EXPECT_EQ(exclusive_share_on_line({1}, {3}, 4), 0);
}

/// s is 0 or 2, each with probability 1/2; only at 2 is a token of radius 0 further than 1.
TEST(ExclusiveShareOnLine, CountsTokensByWhatTheOthersAddUpTo) {
  EXPECT_EQ(exclusive_share_on_line({1, 1}, {0}, 1), Rational(1, 2));
  EXPECT_EQ(exclusive_share_on_line({1, 1}, {0}, 2), 0);
  EXPECT_EQ(exclusive_share_on_line({1, 1}, {0}, Rational(1, 2)), 0);
}

TEST(ProbabilityInSpace, OfOneStepIsAJump) {
  EXPECT_EQ(probability_in_space({}, 0), 1);
  EXPECT_EQ(probability_in_space({0, 2}, Rational(19, 10)), 0);
  EXPECT_EQ(probability_in_space({0, 2}, 2), 1);
}

/// ||b u + c v||^2 is uniform on [(b - c)^2, (b + c)^2].
TEST(ProbabilityInSpace, OfTwoStepsIsUniformInTheSquare) {
  for (const Rational& r : {Rational(1), Rational(2), Rational(5, 2), Rational(4)}) {
    EXPECT_EQ(probability_in_space({1, 3}, r), (r < 2 ? Rational(0) : Rational((r * r - 4) / 12)))
        << r;
  }
  EXPECT_EQ(probability_in_space({1, 3}, 5), 1);
}

/// Rayleigh's random flight: the distance after three unit steps has density R^2/2 up to 1.
TEST(ProbabilityInSpace, OfThreeUnitSteps) {
  EXPECT_EQ(probability_in_space({1, 1, 1}, 1), Rational(1, 6));
  EXPECT_EQ(probability_in_space({1, 1, 1}, 3), 1);
  EXPECT_EQ(probability_in_space({1, 1, 1}, 0), 0);
}

TEST(Probability, RefusesWhatIsTooLarge) {
  EXPECT_BAD_INPUT(probability_in_space(std::vector<Rational>(31, 1), 1),
                   {.kind = BadInputKind::too_large, .where = "'N'", .found = "31"});
  std::vector<Rational> powers;
  for (unsigned j = 0; j < 40; ++j) powers.emplace_back(1UL << j);
  EXPECT_BAD_INPUT(probability_on_line(powers, 1),
                   {.kind = BadInputKind::too_large, .where = "'weights'"});
}

}  // namespace
}  // namespace attn::recheck
