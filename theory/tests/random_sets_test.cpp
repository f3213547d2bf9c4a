// Random sets: the closed form of the flat family, and the moments, against plain enumeration.
#include <gtest/gtest.h>

#include <bit>

#include "theory/attention/random_set.hpp"
#include "theory/claims/corollary2/flat_family.hpp"
#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using S = Interval;
using test::overlap;

/// Of equal tokens whose weights are all the same, and with all the weight on one.
TEST(EqualTokens, ClosedFormsMeetTheEnumerationOfAllSets) {
  for (std::size_t tokens = 2; tokens <= 9; ++tokens) {
    for (std::size_t n = 1; n < tokens; ++n) {
      SCOPED_TRACE(testing::Message() << "L " << tokens << ", N " << n);
      const std::vector<Rational> x = test::rationals({"3/2", "-2"});
      const Case family{
          .kind = InputKind::equal_tokens, .length = tokens, .top_n = n, .embeddings = {x}};
      Case full{.kind = InputKind::random_set_embeddings,
                .weights = std::vector<Rational>(tokens, Rational(1, tokens)),
                .top_n = n,
                .embeddings = std::vector(tokens, x)};
      {
        const CaseContext problem(full);
        const auto closed = claims::flat_family<S>(CaseContext(family));
        const auto enumerated = random_set_terms<S>(problem, Moments::mean_and_variance);
        EXPECT_TRUE(overlap(closed.distance, enumerated.expected));
        EXPECT_TRUE(overlap(closed.distance, distance_terms<S>(problem).distance));
        EXPECT_TRUE(overlap(closed.contributions, enumerated.contributions));
        EXPECT_LT(test::relative_width(S(enumerated.expected + S(1.0))), 1e-40);
      }
      full.weights.assign(tokens, 0);
      full.weights[tokens / 2] = 1;
      const auto closed = claims::one_token_family<S>(CaseContext(family));
      const auto enumerated = random_set_terms<S>(CaseContext(full), Moments::mean_and_variance);
      EXPECT_TRUE(overlap(closed.expected, enumerated.expected));
      EXPECT_TRUE(overlap(closed.contributions, enumerated.contributions));
    }
  }
}

TEST(RandomSets, AreEachVisitedOnce) {
  std::vector<unsigned> seen;
  detail::for_each_set(7, 3, [&](const std::vector<bool>& selected) {
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
    const CaseContext problem(whole);
    const auto terms = random_set_terms<S>(problem, Moments::mean_and_variance);
    for (std::size_t i = 0; i < tokens; ++i) {
      Rational count = 0;
      Rational sum = 0;
      Rational squares = 0;
      detail::for_each_set(tokens, input.top_n, [&](const std::vector<bool>& selected) {
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

/// Some rows are equal, one is the sum of two others, and one all but that.
detail::Rows<Rational> rows_with_small_distances(test::Random& random) {
  detail::Rows<Rational> y(7, std::vector<Rational>(detail::kWide));
  for (std::size_t i = 0; i < 4; ++i) {
    for (Rational& coordinate : y[i]) coordinate = random.decimal(3);
  }
  for (std::size_t k = 0; k < detail::kWide; ++k) y[5][k] = y[1][k] + y[2][k];
  y[4] = y[0];
  y[6] = y[5];
  y[6].back() += Rational(1, 1000) * Rational(1, 1000) * Rational(1, 1000);
  return y;
}

TEST(RandomSets, AreAsFarByInnerProductsAsByCoordinates) {
  test::Random random;
  for (int trial = 0; trial < 5; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const detail::Rows<Rational> exact = rows_with_small_distances(random);
    detail::Rows<S> enclosed(exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      for (const Rational& value : exact[i]) enclosed[i].push_back(from<S>(value));
    }
    for (std::size_t count = 1; count < exact.size(); ++count) {
      detail::DistancesByCoordinates<Rational> plain(exact);
      detail::DistancesByProducts<Rational> rational(exact);
      detail::DistancesByProducts<S> intervals(enclosed);
      detail::for_each_set(exact.size(), count, [&](const std::vector<bool>& selected) {
        plain.select(selected);
        rational.select(selected);
        intervals.select(selected);
        for (std::size_t i = 0; i < exact.size(); ++i) {
          if (selected[i]) continue;
          const Rational squared = plain.squared_from(i);
          EXPECT_EQ(rational.squared_from(i), squared);
          const S enclosure = intervals.squared_from(i);
          EXPECT_TRUE(test::encloses(enclosure, squared));
          // Of an exact zero there is no relative width.
          if (squared == 0) {
            EXPECT_LT(enclosure.upper(), 1e-90);
          } else {
            EXPECT_LT(test::relative_width(enclosure), 1e-30);
            EXPECT_TRUE(squared < 1 || test::relative_width(enclosure) < 1e-46);
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace attn
