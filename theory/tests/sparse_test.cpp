// Sparsemax and 1.5-entmax: the supports are decided exactly.
#include "theory/attention/sparse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "theory/attention/case_context.hpp"
#include "theory/attention/weights.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::rationals;
using test::sum_of;

TEST(Sparsemax, IsTheNearestPointOfTheSimplex) {
  test::Random random;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> z;
    for (std::size_t i = 2 + random.below(5); i > 0; --i) z.push_back(random.decimal(1));
    const std::vector<Rational> a = sparsemax(z);
    EXPECT_EQ(sum_of(a), 1);
    // Optimality: (z - a) . (b - a) <= 0 for every corner b of the simplex.
    Rational along = 0;
    for (std::size_t i = 0; i < z.size(); ++i) along += (z[i] - a[i]) * a[i];
    for (std::size_t i = 0; i < z.size(); ++i) {
      EXPECT_GE(a[i], 0);
      EXPECT_LE(z[i] - a[i], along);
    }
  }
}

TEST(Sparsemax, TokensAtTheEdgeGetNoWeight) {
  EXPECT_EQ(sparsemax_support(rationals({"1", "0"})).tokens.size(), 1U);
  EXPECT_EQ(sparsemax_support(rationals({"1", "1/1000"})).tokens.size(), 2U);
}

TEST(Entmax, SupportMeetsItsDefinition) {
  test::Random random;
  std::size_t cut = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> z;
    for (std::size_t i = 2 + random.below(5); i > 0; --i) z.push_back(random.decimal(2));
    const Support support = entmax_support(z);
    const Rational k(support.tokens.size());
    Rational squares = 0;
    for (const std::size_t i : support.tokens) {
      const Rational below = support.mean - z[i] / 2;
      squares += below * below;
      // z_i/2 > tau = mean - sqrt(rise).
      EXPECT_TRUE(below < 0 || below * below < support.rise);
    }
    // sum (z_i/2 - tau)^2 = 1.
    EXPECT_EQ(squares + k * support.rise, 1);
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (std::ranges::find(support.tokens, i) != support.tokens.end()) continue;
      const Rational below = support.mean - z[i] / 2;
      EXPECT_TRUE(below > 0 && below * below >= support.rise);
      ++cut;
    }
  }
  EXPECT_GT(cut, 100U) << "some tokens must lie outside";
}

TEST(Entmax, TokensAtTheEdgeGetNoWeight) {
  // u = (1, 0): z_1/2 - tau = 1 and z_2/2 = tau.
  EXPECT_EQ(entmax_support(rationals({"2", "0"})).tokens.size(), 1U);
  EXPECT_EQ(entmax_support(rationals({"2", "1/1000"})).tokens.size(), 2U);
}

TEST(Entmax, EqualWeightsAreRational) {
  const auto weights = [](std::vector<Rational> logits) {
    const Case input{
        .kind = InputKind::row_of, .logits = std::move(logits), .normalizer = Normalizer::entmax};
    return rational_weights(CaseContext(input));
  };
  EXPECT_EQ(weights(rationals({"2", "0", "-1"})), rationals({"1", "0", "0"}));
  EXPECT_EQ(weights(rationals({"-1", "5", "5", "0", "5"})),
            rationals({"0", "1/3", "1/3", "0", "1/3"}));
  EXPECT_EQ(weights(rationals({"7", "7"})), rationals({"1/2", "1/2"}));
  EXPECT_EQ(weights(rationals({"1", "0"})), std::nullopt);
}

TEST(Entmax, TiesGoToTheLowerIndex) {
  EXPECT_EQ(entmax_support(rationals({"0", "1", "1"})).tokens, (std::vector<std::size_t>{1, 2, 0}));
}

}  // namespace
}  // namespace attn
