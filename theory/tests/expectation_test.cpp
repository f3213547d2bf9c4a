#include "theory/attention/expectation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::rationals;
using test::sum_of;

std::vector<Rational> random_radii(test::Random& random, std::size_t n) {
  std::vector<Rational> radii;
  for (std::size_t j = 0; j < n; ++j) {
    radii.emplace_back(random.between(1, random.one_in(2) ? 3 : 50), 10);
  }
  return radii;
}

TEST(SettledShare, IsKnownWhereNoDirectionMatters) {
  struct Known {
    std::vector<Rational> radii;
    Rational r, closeness;
    std::optional<Rational> share;
  };
  const Rational q(1, 4), s(1, 7), tiny(1, 1'000'000'000);
  const Known cases[] = {
      {{q, q, q}, Rational(1, 2), 0, Rational(1)},
      {{q, q, q}, Rational(1, 2) - tiny, 0, std::nullopt},
      // No step left, and one.
      {{Rational(1), Rational(0), Rational(0)}, Rational(1, 2), 0, Rational(1, 3)},
      {{Rational(1, 2), Rational(1, 3)}, Rational(1, 3), 0, Rational(1, 2)},
      {{Rational(1, 2)}, tiny, 0, Rational(1)},
      // 4/7 and 1/7 end in no ball of 3/7, but on its surface, with probability 0.
      {{4 * s, s, s}, 3 * s, 0, Rational(1, 3)},
      {{s, 4 * s, s}, 3 * s, 0, Rational(1, 3)},
      {{4 * s, s, s}, 3 * s + tiny, 0, std::nullopt},
      // xi = 6/13.
      {{q, q, q}, Rational(6, 13), Rational(100, 169), Rational(1)},
      {{q, q, q}, Rational(6, 13) - tiny, Rational(100, 169), std::nullopt},
  };
  for (const auto& [radii, r, closeness, share] : cases) {
    EXPECT_EQ(settled_share(radii, r, closeness), share) << r;
  }
}

TEST(SettledShare, IsThatOfTheDistributionInSpace) {
  test::Random random;
  int settled = 0;
  for (int trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> radii = random_radii(random, 1 + random.below(4));
    radii.front() *= random.between(1, 9);
    const Rational r = Rational(random.between(1, 60), 10);
    const auto share = settled_share(radii, r, 0);
    if (!share) continue;
    ++settled;
    EXPECT_EQ(*share, expected_distinguishable_share(radii, r, 3));
  }
  EXPECT_GT(settled, 100);
}

class ProbabilityWithin : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] Rational within(const std::vector<Rational>& radii, const Rational& r) const {
    return probability_within(radii, r, GetParam());
  }
};

TEST_P(ProbabilityWithin, AgreesWithTheSumOverEverySignPattern) {
  test::Random random;
  for (int trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> radii = random_radii(random, random.below(8));
    if (random.one_in(4)) radii.emplace_back(0);
    const Rational r = sum_of(radii) * Rational(random.between(0, 11), 10);
    EXPECT_EQ(within(radii, r), test::plain_probability(radii, r, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ProbabilityWithin, testing::Values(1, 3));

TEST(ProbabilityOnTheLine, ShortAndLongSumsAlike) {
  // The least unit of length decides how long the sums are.
  for (const int bits : {3, 40, 57, 58, 59, 60, 61, 62, 70, 200}) {
    const Rational unit = Rational(Integer(1), Integer(Integer(1) << bits));
    const std::vector<Rational> radii = {1, Rational(1, 2) + unit, Rational(1, 2), Rational(1, 2)};
    for (const Rational& r : {Rational(0), unit, Rational(1, 2), Rational(3, 2) + unit}) {
      EXPECT_EQ(probability_within(radii, r, 1), test::plain_probability(radii, r, 1)) << bits;
    }
  }
}

TEST(ProbabilityOnTheLine, ManyEqualSteps) {
  // As many steps to the right as to the left, but for one where their number is odd.
  for (const unsigned steps : {1U, 2U, 58U, 59U, 60U, 61U, 62U, 63U, 64U, 65U, 100U}) {
    Integer balanced = 1;  // a binomial coefficient
    for (unsigned k = 1; k <= steps / 2; ++k) balanced = balanced * (steps + 1 - k) / k;
    if (steps % 2 == 1) balanced *= 2;
    const std::vector<Rational> radii(steps, Rational(1, 3));
    const Rational r = steps == 1 ? Rational(1, 3) : Rational(1, 2);
    EXPECT_EQ(probability_within(radii, r, 1), Rational(balanced, Integer(1) << steps)) << steps;
  }
}

TEST(ProbabilityInSpace, TwoStepsByTheCosineLaw) {
  // X^2 = b1^2 + b2^2 + 2 b1 b2 c with c uniform on [-1, 1].
  test::Random random;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Rational b1(random.between(1, 100), 7);
    const Rational b2(random.between(1, 100), 7);
    const Rational r = (b1 + b2) * Rational(random.between(0, 11), 10);
    const Rational p = (r * r - (b1 - b2) * (b1 - b2)) / (4 * b1 * b2);
    EXPECT_EQ(probability_within({b1, b2}, r, 3), std::clamp<Rational>(p, 0, 1));
  }
}

TEST(ExpectedShare, IsTheMeanOverTheTokensLeftOut) {
  test::Random random;
  for (const std::size_t d : {std::size_t{1}, std::size_t{3}}) {
    for (int trial = 0; trial < 40; ++trial) {
      SCOPED_TRACE(test::replay(trial));
      const std::vector<Rational> radii = random_radii(random, 1 + random.below(6));
      const Rational r = sum_of(radii) * Rational(random.between(1, 9), 10);
      Rational sum = 0;
      for (std::size_t i = 0; i < radii.size(); ++i) {
        std::vector<Rational> rest;
        for (std::size_t j = 0; j < radii.size(); ++j) {
          if (j != i) rest.push_back(radii[j]);
        }
        sum += test::plain_probability(rest, r, d);
      }
      EXPECT_EQ(expected_distinguishable_share(radii, r, d), sum / radii.size());
    }
  }
}

TEST(SignPatterns, CountsEqualRadiiTogether) {
  EXPECT_EQ(sign_patterns({}), 1U);
  EXPECT_EQ(sign_patterns(rationals({"0.1", "0.2", "0.3"})), 8U);
  EXPECT_EQ(sign_patterns(rationals({"0.1", "1/10", "0.3", "0"})), 6U);
  EXPECT_EQ(sign_patterns(std::vector<Rational>(1000, Rational(1))), 1001U);
  std::vector<Rational> distinct;
  for (int j = 1; j <= 100; ++j) distinct.emplace_back(j);
  EXPECT_EQ(sign_patterns(distinct), std::size_t{1} << 62);
}

/// Over the signs of all tokens, selected and outside.
Rational plain_exclusive_share(const std::vector<Rational>& radii,
                               const std::vector<Rational>& outside, const Rational& r) {
  const std::size_t tokens = radii.size() + outside.size();
  std::size_t kept = 0;
  for (std::size_t pattern = 0; pattern < std::size_t{1} << tokens; ++pattern) {
    std::vector<Rational> y = radii;
    y.insert(y.end(), outside.begin(), outside.end());
    Rational s = 0;
    for (std::size_t i = 0; i < tokens; ++i) {
      if ((pattern >> i & 1U) != 0) y[i] = -y[i];
      if (i < radii.size()) s += y[i];
    }
    const auto near = [&](const Rational& place) { return abs(Rational(place - s)) <= r; };
    const auto first_outside = y.begin() + static_cast<std::ptrdiff_t>(radii.size());
    if (std::any_of(first_outside, y.end(), near)) continue;
    kept += static_cast<std::size_t>(std::count_if(y.begin(), first_outside, near));
  }
  return Rational(kept, (std::size_t{1} << tokens) * radii.size());
}

TEST(ExclusiveShare, IsTheMeanOverAllSigns) {
  test::Random random;
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> radii = random_radii(random, 1 + random.below(4));
    std::vector<Rational> outside = random_radii(random, 1 + random.below(4));
    if (random.one_in(4)) radii.emplace_back(0);
    if (random.one_in(4)) outside.emplace_back(0);
    const Rational r = sum_of(radii) * Rational(random.between(0, 11), 10);
    EXPECT_EQ(expected_exclusive_share(radii, outside, r),
              plain_exclusive_share(radii, outside, r));
  }
}

}  // namespace
}  // namespace attn
