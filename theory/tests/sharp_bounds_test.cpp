// How sharp the repaired bounds are, and how the upper bound of Theorem 2 depends on the dimension.
#include <gtest/gtest.h>

#include <vector>

#include "theory/attention/separability.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using S = Interval;
using Traits = ScalarTraits<S>;
using test::Random;

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
std::vector<int> sides_of_means(const CaseContext& context) {
  std::vector<int> sides;
  for (const auto& offset : squared_offsets<Scalar>(context)) sides.push_back(offset.side);
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
    const CaseContext context(input);
    const std::vector<int> sides = {-1, side, side};
    EXPECT_EQ(sides_of_means<ErrorDouble>(context), sides);
    EXPECT_EQ(sides_of_means<S>(context), sides);
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
