#include "theory/attention/expectation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::rationals;

std::vector<Rational> random_radii(test::Random& random, std::size_t n) {
  std::vector<Rational> radii;
  for (std::size_t j = 0; j < n; ++j) {
    radii.emplace_back(random.between(1, random.one_in(2) ? 3 : 50), 10);
  }
  return radii;
}

Rational sum_of(const std::vector<Rational>& values) {
  Rational sum = 0;
  for (const Rational& value : values) sum += value;
  return sum;
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

TEST_P(ProbabilityWithin, GrowsWithTheRadiusFromZeroToOne) {
  test::Random random;
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::vector<Rational> radii = random_radii(random, 1 + random.below(7));
    const Rational most = sum_of(radii);
    Rational before = 0;
    for (int k = 0; k <= 20; ++k) {
      const Rational p = within(radii, most * k / 20);
      EXPECT_GE(p, before);
      before = p;
    }
    EXPECT_EQ(before, 1);
    EXPECT_EQ(within(radii, most + Rational(1, 1000)), 1);
    EXPECT_LT(within(radii, most * Rational(999, 1000)), 1);
  }
}

TEST_P(ProbabilityWithin, OneStepIsAsLongAsItsRadius) {
  EXPECT_EQ(within(rationals({"0.3"}), Rational(3, 10)), 1);
  EXPECT_EQ(within(rationals({"0.3"}), Rational(29, 100)), 0);
  EXPECT_EQ(within({}, 0), 1);
}

TEST_P(ProbabilityWithin, ZeroRadiiDropOut) {
  const Rational r(1, 2);
  EXPECT_EQ(within(rationals({"0.3", "0", "0.4", "0"}), r), within(rationals({"0.3", "0.4"}), r));
  EXPECT_EQ(within(rationals({"0", "0"}), 0), 1);
}

TEST_P(ProbabilityWithin, DoesNotDependOnTheOrderOrTheUnit) {
  const Rational p = within(rationals({"0.3", "0.5", "0.4", "0.3"}), Rational(7, 10));
  EXPECT_EQ(within(rationals({"0.5", "0.3", "0.3", "0.4"}), Rational(7, 10)), p);
  EXPECT_EQ(within(rationals({"3/7", "5/7", "4/7", "3/7"}), 1), p);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ProbabilityWithin, testing::Values(1, 3));

TEST(ProbabilityOnTheLine, TwoSteps) {
  // |+-3 +-4| is 1 or 7, each half the time.
  const auto radii = rationals({"3", "4"});
  EXPECT_EQ(probability_within(radii, Rational(99, 100), 1), 0);
  EXPECT_EQ(probability_within(radii, 1, 1), Rational(1, 2));
  EXPECT_EQ(probability_within(radii, Rational(699, 100), 1), Rational(1, 2));
  EXPECT_EQ(probability_within(radii, 7, 1), 1);
}

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
    Rational p = (r * r - (b1 - b2) * (b1 - b2)) / (4 * b1 * b2);
    if (p < 0) p = 0;
    if (p > 1) p = 1;
    EXPECT_EQ(probability_within({b1, b2}, r, 3), p);
  }
}

TEST(ProbabilityInSpace, ThreeUnitStepsByTheirDensity) {
  // Density of the length: r^2/2 up to 1, r (3 - r)/4 from 1 to 3.
  const auto radii = rationals({"1", "1", "1"});
  for (int k = 0; k <= 30; ++k) {
    const Rational r(k, 10);
    const Rational p =
        r <= 1 ? Rational(r * r * r / 6)
               : Rational(Rational(1, 6) + (r * r - 1) * Rational(3, 8) - (r * r * r - 1) / 12);
    EXPECT_EQ(probability_within(radii, r, 3), p) << r;
  }
}

TEST(ProbabilityInSpace, NearlyEqualRadiiGiveNearlyTheGroupedResult) {
  const Rational r(2, 1);
  const Rational grouped = probability_within(std::vector<Rational>(6, Rational(1)), r, 3);
  std::vector<Rational> apart;
  for (int j = 0; j < 6; ++j) apart.emplace_back(1 + j * parse_rational("1e-20"));
  const Rational difference = abs(Rational(probability_within(apart, r, 3) - grouped));
  EXPECT_GT(difference, 0);
  EXPECT_LT(difference, parse_rational("1e-18"));
}

/// Monte Carlo of the definition: uniform directions from normal coordinates.
class MonteCarlo : public testing::TestWithParam<int> {};

TEST_P(MonteCarlo, AgreesInSpace) {
  constexpr int kTrials = 100000;
  constexpr double kLevel = 1e-6;
  test::Random random;
  const auto n = static_cast<std::size_t>(GetParam());
  std::vector<double> b;
  std::vector<Rational> radii;
  for (std::size_t j = 0; j < n; ++j) {
    b.push_back(std::ldexp(random.between(1, 64), -6));
    radii.push_back(exact(b.back()));
  }
  const double r = std::ldexp(random.between(32, 32 + 16 * GetParam()), -6);
  int inside = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    double sum[3] = {0, 0, 0};
    for (const double radius : b) {
      const double u[3] = {random.normal(), random.normal(), random.normal()};
      const double length = std::hypot(u[0], u[1], u[2]);
      for (int k = 0; k < 3; ++k) sum[k] += radius * u[k] / length;
    }
    inside += std::hypot(sum[0], sum[1], sum[2]) <= r ? 1 : 0;
  }
  ASSERT_GT(inside, 100) << "r too small to test anything";
  ASSERT_LT(inside, kTrials - 100) << "r too large to test anything";
  using Binomial = boost::math::binomial_distribution<double>;
  const double p = probability_within(radii, exact(r), 3).convert_to<double>();
  EXPECT_GE(p, Binomial::find_lower_bound_on_p(kTrials, inside, kLevel / 2))
      << "seed " << test::Random::kSeed;
  EXPECT_LE(p, Binomial::find_upper_bound_on_p(kTrials, inside, kLevel / 2))
      << "seed " << test::Random::kSeed;
}

INSTANTIATE_TEST_SUITE_P(Steps, MonteCarlo, testing::Range(3, 9));

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

TEST(ExpectedShare, OfASingleTokenIsOne) {
  EXPECT_EQ(expected_distinguishable_share(rationals({"0.7"}), Rational(1, 1000), 3), 1);
}

TEST(ExpectedShare, OfTheWitnessAgainstTheorem2) {
  const Rational share =
      expected_distinguishable_share(std::vector<Rational>(9, Rational(1, 10)), Rational(1, 2), 3);
  EXPECT_GT(share, parse_rational("0.98184"));
  EXPECT_LT(share, parse_rational("0.98185"));
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
