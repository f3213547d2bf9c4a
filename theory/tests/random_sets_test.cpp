// Random sets: the closed form of the flat family, and the moments, against plain enumeration.
#include <gtest/gtest.h>

#include <bit>

#include "theory/attention/random_set.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using S = Interval;
using test::overlap;

/// Checks equal tokens whose weights are all the same, and equal tokens with all the weight on one.
TEST(EqualTokens, ClosedFormsMeetTheEnumerationOfAllSets) {
  for (std::size_t tokens = 2; tokens <= 9; ++tokens) {
    for (std::size_t n = 1; n < tokens; ++n) {
      SCOPED_TRACE(testing::Message() << "L " << tokens << ", N " << n);
      const std::vector<Rational> x = test::rationals({"3/2", "-2"});
      const Case family{.kind = InputKind::equal_tokens,
                        .length = tokens,
                        .top_n = n,
                        .embeddings = {x},
                        .epsilon = 1};
      const auto closed = [&](std::string_view id) {
        return find_claim(id).evaluators->enclose(CaseContext(family));
      };
      Case full{.kind = InputKind::random_set_embeddings,
                .weights = std::vector<Rational>(tokens, Rational(1, tokens)),
                .top_n = n,
                .embeddings = std::vector(tokens, x)};
      {
        const CaseContext context(full);
        const Sides<S> flat = closed("collapse.proportional");
        const auto enumerated = random_set_terms<S>(context, Moments::mean_and_variance);
        EXPECT_TRUE(overlap(flat.lhs, enumerated.expected));
        EXPECT_TRUE(overlap(flat.lhs, distance_terms<S>(context).distance));
        EXPECT_TRUE(overlap(flat.rhs, enumerated.contributions));
        EXPECT_LT(test::relative_width(S(enumerated.expected + S(1.0))), 1e-40);
      }
      full.weights.assign(tokens, 0);
      full.weights[tokens / 2] = 1;
      const Sides<S> one = closed("corollary2.long_context");
      const auto enumerated = random_set_terms<S>(CaseContext(full), Moments::mean_and_variance);
      EXPECT_TRUE(overlap(one.lhs, abs(S(enumerated.expected - enumerated.contributions))));
      EXPECT_TRUE(overlap(one.rhs, enumerated.contributions));
    }
  }
}

TEST(RandomSets, AreEachVisitedOnce) {
  std::vector<unsigned> seen;
  for_each_set(7, 3, [&](const std::vector<bool>& selected) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < selected.size(); ++i) bits |= selected[i] ? 1U << i : 0U;
    seen.push_back(bits);
  });
  EXPECT_EQ(seen.size(), 35U);
  for (const unsigned bits : seen) EXPECT_EQ(std::popcount(bits), 3);
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

/// m_i and V_i are the mean and the total variance of y_i - s over the sets without i.
TEST(RandomSets, MomentsAreThoseOfTheSetsWithoutTheToken) {
  test::Random random;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::size_t tokens = 3 + random.below(4);
    Case input{.kind = InputKind::random_set_embeddings, .weights = random.weights(tokens)};
    input.top_n = 1 + random.below(tokens - 1);
    for (std::size_t i = 0; i < tokens; ++i) input.embeddings.push_back({random.decimal(2)});
    const Case whole = input;
    const CaseContext context(whole);
    const auto terms = random_set_terms<S>(context, Moments::mean_and_variance);
    for (std::size_t i = 0; i < tokens; ++i) {
      Rational count = 0;
      Rational sum = 0;
      Rational squares = 0;
      for_each_set(tokens, input.top_n, [&](const std::vector<bool>& selected) {
        if (selected[i]) return;
        Rational offset = input.weights[i] * input.embeddings[i][0];
        for (std::size_t j = 0; j < tokens; ++j) {
          if (selected[j]) offset -= input.weights[j] * input.embeddings[j][0];
        }
        count += 1;
        sum += offset;
        squares += offset * offset;
      });
      const Rational mean = sum / count;
      EXPECT_TRUE(test::encloses(terms.mean[i], abs(mean)));
      EXPECT_TRUE(test::encloses(terms.variance[i], Rational(squares / count - mean * mean)));
    }
  }
}

/// Wide enough for inner products. y_3 is y_1 + y_2, and y_4 is 1e-9 from it.
TEST(RandomSets, KeepTheirDigitsWhereInnerProductsCancel) {
  test::Random random;
  Rows<Rational> exact(5, std::vector<Rational>(16));
  Rows<ErrorDouble> in_doubles(5);
  for (std::size_t k = 0; k < 16; ++k) {
    for (std::size_t i = 0; i < 3; ++i) exact[i][k] = random.decimal(3);
    exact[3][k] = exact[4][k] = exact[1][k] + exact[2][k];
    if (k == 15) exact[4][k] += parse_rational("1e-9");
    for (std::size_t i = 0; i < 5; ++i) in_doubles[i].push_back(from<ErrorDouble>(exact[i][k]));
  }
  for (std::size_t count = 1; count < 5; ++count) {
    const S found = enumerated_distance<S>(std::vector<S>(5, S(1)), exact, count);
    const std::vector<Rational> ones(5, 1);
    EXPECT_TRUE(overlap(found, enumerated_distance<S>(ones, exact, count))) << count;
    EXPECT_LT(test::relative_width(found), 1e-40) << count;
    const ErrorDouble near = enumerated_distance(Contributions(in_doubles), count);
    EXPECT_TRUE(overlap(found, near)) << count;
    EXPECT_LT(near.error(), 1e-5 * near.value()) << count;
  }
}

}  // namespace
}  // namespace attn
