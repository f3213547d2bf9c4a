// How sharp the repaired bounds are: what the local bounds on ||J|| leave open between them, and
// how the upper bound of Theorem 2 depends on the dimension.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/attention/separability.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using S = Interval;
using Traits = ScalarTraits<S>;
using test::Random;

Rational power_of_two(int exponent) {
  Rational power = 1;
  for (int k = 0; k < std::abs(exponent); ++k) power *= 2;
  return exponent < 0 ? Rational(1 / power) : power;
}

/// Logits of every shape: spread out, tied, nearly tied, and with one or two far above the others.
Case random_row(Random& random) {
  Case row{.kind = InputKind::softmax_row};
  row.temperature = power_of_two(random.between(-10, 10));
  const std::size_t tokens = 2 + random.below(random.one_in(16) ? 1023 : 15);
  const Rational scale = row.temperature * power_of_two(random.between(-30, 4));
  for (std::size_t i = 0; i < tokens; ++i) {
    const bool tied = i > 0 && random.one_in(4);
    row.logits.push_back(tied ? row.logits[random.below(i)] : Rational(scale * random.decimal(3)));
  }
  const auto lift = [&](std::size_t token) {
    row.logits[token] += row.temperature * random.between(0, 100);
  };
  if (random.one_in(2)) lift(0);
  if (random.one_in(3)) lift(1);
  return row;
}

/// corollary3.local.upper over corollary3.local.lower.
S quotient_of_bounds(const Case& row) {
  const Case input = row;
  const CaseContext problem(input);
  const auto w = sorted_softmax<S>(problem);
  return corollary3_local_upper(w) / corollary3_local_lower(w);
}

TEST(LocalBounds, EncloseTheNormWithinAFactorTwo) {
  constexpr int kTrials = 4000;
  Random random;
  double largest = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const S quotient = quotient_of_bounds(random_row(random));
    ASSERT_LE(Traits::upper(quotient), 2) << test::replay(trial);
    ASSERT_GE(Traits::upper(quotient), 1) << test::replay(trial);
    largest = std::max(largest, Traits::upper(quotient).convert_to<double>());
  }
  // Nearly all the weight on one token, nearly all the rest on another: 2 is the least factor.
  std::vector<Rational> logits(1024, Rational(-200));
  logits[0] = 0;
  logits[1] = -40;
  const S approached = quotient_of_bounds({.logits = logits});
  EXPECT_LT(Traits::upper(approached), 2);
  EXPECT_GT(Traits::lower(approached), 1.998);
  fmt::print(
      "largest quotient of the local bounds: {:.6f} of {} drawn, {:.6f} where they are made "
      "to differ\n",
      largest, kTrials, Traits::upper(approached).convert_to<double>());
}

TEST(LocalBounds, AreTheNormWhereTheLargestOrTheOthersTie) {
  for (const std::vector<Rational>& logits : std::vector<std::vector<Rational>>{
           {0, 3}, {0, parse_rational("1e-150")}, {1, 1, 0, -3}, {2, -1, -1, -1}, {900, 0, 0}}) {
    const Case input{.kind = InputKind::softmax_row, .logits = logits};
    const CaseContext problem(input);
    const WorkingDigits working(kCapDigits);
    const auto w = sorted_softmax<Interval>(problem);
    const auto norm = softmax_jacobian_norm(w);
    for (const auto& bound : {corollary3_local_upper(w), corollary3_local_lower(w)}) {
      EXPECT_LT(abs(bound / norm - 1).upper(), 1e-200);
    }
  }
}

TEST(SelfAdjustedBound, IsApproachedAtBothEnds) {
  for (const char* const json :
       {R"({"logits": ["1e-6", "0.999e-6"], "normalizer": "self_adjusted"})",
        R"({"logits": [1000, "999.99"], "normalizer": "self_adjusted"})",
        R"({"logits": [3000, "2999.99"], "temperature": 3, "normalizer": "self_adjusted"})"}) {
    const Claim& claim = find_claim("lipschitz.self_adjusted.sharp");
    const Case input = test::case_of(claim.kind, json);
    const Decision decision = decide(claim, input);
    EXPECT_EQ(decision.verdict, Verdict::holds) << json;
    EXPECT_GT(decision.lhs / decision.rhs, 0.99) << json;
  }
}

/// The right side of theorem2.upper.repaired.
S upper_bound(const Case& sphere) {
  const Case input = sphere;
  const CaseContext problem(input);
  return mean_over(squared_offsets<S>(problem),
                   [](const SquaredOffset<S>& x) { return chance_within(x); });
}

TEST(RepairedUpperBound, FallsWithTheDimension) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    Case sphere{.kind = InputKind::sphere_embeddings,
                .weights = random.weights(4 + random.below(8)),
                .sphere_radius = Rational(random.between(1, 8), 4),
                .delta = 0};
    sphere.top_n = 3 + random.below(tokens_of(sphere) - 3);
    // Below every s2_i, which is R^2 times the square of the least selected weight at least.
    sphere.r = *sphere.sphere_radius / 100 * *std::ranges::min_element(sphere.weights);
    S before(2.0);
    for (const std::size_t dimension : {1U, 2U, 3U, 4U, 8U, 64U, 4096U}) {
      sphere.dimension = dimension;
      const S bound = upper_bound(sphere);
      EXPECT_TRUE(certainly_less(bound, before)) << dimension;
      before = bound;
    }
    EXPECT_LT(Traits::upper(before), 0.001);
  }
}

TEST(SumsWithoutOne, AreThoseOverTheOthers) {
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::vector<Rational> numbers = random.weights(1 + random.below(7));
    const auto sums = sums_without_one(numbers);
    ASSERT_EQ(sums.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Rational first = 0, second = 0, pairs = 0;
      for (std::size_t j = 0; j < numbers.size(); ++j) {
        if (j == i) continue;
        first += numbers[j];
        second += numbers[j] * numbers[j];
        for (std::size_t k = 0; k < j; ++k) {
          if (k != i) pairs += numbers[j] * numbers[k];
        }
      }
      EXPECT_EQ(sums[i].first, first);
      EXPECT_EQ(sums[i].second, second);
      EXPECT_EQ(sums[i].pairs, pairs);
    }
  }
}

/// The sides of r^2 on which s2_i lies, of the largest weight first.
template <class Scalar>
std::vector<int> sides_of_means(const CaseContext& problem) {
  std::vector<int> sides;
  for (const auto& offset : squared_offsets<Scalar>(problem)) sides.push_back(offset.side);
  return sides;
}

TEST(SquaredOffsets, KnowExactlyOnWhichSideTheirMeanLies) {
  // s2_i is 0.3^2 + 0.3^2 for the largest weight, and 0.3^2 + 0.4^2 = 0.5^2 for the others.
  Case sphere{.kind = InputKind::sphere_embeddings,
              .weights = {Rational(3, 10), Rational(4, 10), Rational(3, 10)},
              .top_n = 3,
              .sphere_radius = 1,
              .delta = 0,
              .dimension = 5};
  for (const int side : {-1, 0, 1}) {
    sphere.r = Rational(1, 2) - side * Rational(0x1p-100);
    const Case input = sphere;
    const CaseContext problem(input);
    const std::vector<int> sides = {-1, side, side};
    EXPECT_EQ(sides_of_means<ErrorDouble>(problem), sides);
    EXPECT_EQ(sides_of_means<S>(problem), sides);
  }
}

TEST(CaseContext, LargestAndLeastAreTheEndsOfTheOrder) {
  Random random;
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    Case row{.kind = InputKind::softmax_row, .logits = {}, .temperature = 1};
    // So few values that many are tied.
    const std::size_t tokens = 2 + random.below(8);
    for (std::size_t i = 0; i < tokens; ++i) row.logits.emplace_back(random.between(-2, 2));
    const Case input = row;
    const CaseContext fresh(input);
    const std::size_t largest = fresh.largest();
    const std::size_t least = fresh.least();
    EXPECT_EQ(largest, fresh.order().front());
    EXPECT_EQ(least, fresh.order().back());
    EXPECT_EQ(fresh.largest(), largest);
    EXPECT_EQ(fresh.least(), least);
  }
}

}  // namespace
}  // namespace attn
