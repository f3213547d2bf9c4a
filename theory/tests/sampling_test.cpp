// Sampled expectations: the interval holds the exact value where that is known, is narrow enough to
// be of use, and is the same each time.
#include "theory/attention/sampling.hpp"

#include <gtest/gtest.h>

#include "theory/attention/expectation.hpp"
#include "theory/attention/random_set.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

Case sphere(std::vector<Rational> weights, std::size_t n, const Rational& r, std::size_t d) {
  return SphereEmbeddings{.weights = std::move(weights),
                          .top_n = n,
                          .sphere_radius = Rational(3, 2),
                          .r = r,
                          .delta = 0,
                          .dimension = d};
}

TEST(SampledShare, HoldsTheExactShareWhereThatIsKnown) {
  test::Random random;
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::size_t tokens = 4 + random.below(5);
    const std::vector<Rational> weights = random.weights(tokens);
    const std::size_t n = 3 + random.below(tokens - 3);
    // On the line a sum can be exactly r, and then a draw counts on both sides: this r is no such sum.
    const Rational r = Rational(random.between(1, 20), 20) + Rational(1, 104'729);
    const Case input = sphere(weights, n, r, trial % 2 == 0 ? 1 : 3);
    const Problem problem(input);
    const ConfidenceInterval& sampled = problem.sampled_share();
    const Rational exact_share = problem.expected_share();
    EXPECT_LE(exact(sampled.lower), exact_share);
    EXPECT_GE(exact(sampled.upper), exact_share);
    EXPECT_LT(sampled.upper - sampled.lower, 0.12);
  }
}

TEST(SampledShare, IsTheSameEachTimeAndDependsOnTheDimension) {
  const std::vector<Rational> flat(8, Rational(1, 8));
  const Case two = sphere(flat, 7, Rational(1, 2), 2);
  EXPECT_EQ(Problem(two).sampled_share().lower, Problem(two).sampled_share().lower);
  // P(||sum|| <= r) grows with d here: in high dimension the length hardly varies.
  const Case many = sphere(flat, 7, Rational(1, 2), 64);
  EXPECT_GT(Problem(many).sampled_share().lower, Problem(two).sampled_share().upper);
}

TEST(SampledShare, DecidesAClaimBeyondTheExactDimensions) {
  const std::vector<Rational> flat(8, Rational(1, 8));
  const Case input = sphere(flat, 7, Rational(1), 8);
  for (const char* id : {"theorem2.lower", "theorem2.lower.sharp", "theorem2.upper.repaired"}) {
    const Decision decision = decide(find_claim(id), input);
    EXPECT_TRUE(decision.sampled) << id;
    EXPECT_NE(decision.verdict, Verdict::violated) << id;
  }
  EXPECT_FALSE(decide(find_claim("theorem2.lower"), sphere(flat, 7, Rational(1), 3)).sampled);
  // One other token, or a radius beyond all: no direction matters.
  EXPECT_FALSE(decide(find_claim("theorem2.lower"), sphere(flat, 2, Rational(1), 8)).sampled);
  EXPECT_FALSE(decide(find_claim("theorem2.lower"), sphere(flat, 7, Rational(9), 8)).sampled);
}

TEST(SampledShare, RefutesTheUpperBoundInFiveDimensions) {
  const Decision decision =
      decide(find_claim("theorem2.upper"),
             sphere(std::vector<Rational>(10, Rational(1, 10)), 9, Rational(3, 4), 5));
  EXPECT_TRUE(decision.sampled);
  EXPECT_EQ(decision.verdict, Verdict::violated);
}

Case embeddings(test::Random& random, std::size_t tokens, std::size_t n) {
  RandomSetEmbeddings input{.weights = random.weights(tokens), .top_n = n};
  for (std::size_t i = 0; i < tokens; ++i) {
    input.embeddings.push_back({random.decimal(2), random.decimal(2)});
  }
  return input;
}

TEST(SampledDistance, HoldsTheExactDistanceWhereThatIsKnown) {
  test::Random random;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Case input = embeddings(random, 8, 1 + random.below(7));
    const Problem problem(input);
    const auto exact_terms = random_set_terms<Interval<50>>(problem);
    ASSERT_FALSE(problem.sampled());
    const ConfidenceInterval& sampled = problem.sampled_distance();
    EXPECT_LE(sampled.lower, exact_terms.expected);
    EXPECT_GE(sampled.upper, exact_terms.expected);
    const auto expected =
        ScalarTraits<Interval<50>>::middle(exact_terms.expected).convert_to<double>();
    EXPECT_LT(sampled.upper - sampled.lower, 0.5 * expected);
  }
}

TEST(SampledDistance, DecidesWhereThereAreTooManySets) {
  test::Random random;
  const Case input = embeddings(random, 40, 10);
  for (const char* id : {"theorem1.random.lower", "theorem1.random.upper", "theorem1.random.sharp",
                         "corollary2.full_set", "corollary2.long_context.repaired"}) {
    const Claim& claim = find_claim(id);
    ASSERT_NO_THROW(validate(claim, input));
    const Decision decision = decide(claim, input);
    EXPECT_TRUE(decision.sampled) << id;
    EXPECT_NE(decision.verdict, Verdict::violated) << id;
    EXPECT_EQ(decision.digits, kFilter) << id;
    EXPECT_TRUE(certify(claim, input).decision.sampled) << id;
  }
  EXPECT_EQ(decide(find_claim("corollary2.full_set"), input).verdict, Verdict::holds);
}

TEST(Sets, AreCountedUpToTheLimit) {
  EXPECT_EQ(sets_of(6, 3), 20U);
  EXPECT_EQ(sets_of(5, 5), 1U);
  EXPECT_EQ(sets_of(64, 1), 64U);
  EXPECT_EQ(sets_of(200, 2), 19'900U);
  EXPECT_GT(sets_of(201, 2), kMostSets);
  EXPECT_GT(sets_of(4096, 2048), kMostSets);
}

}  // namespace
}  // namespace attn
