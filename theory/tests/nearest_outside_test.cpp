#include "theory/attention/nearest_outside.hpp"

#include <gtest/gtest.h>

#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::case_of;

template <class S>
CountBounds counted(const Case& input) {
  const CaseContext context(input);
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    return ball_count(context, a, x);
  });
}

void expect_count(std::size_t expected, const CountBounds& found) {
  EXPECT_EQ(found.least, expected);
  EXPECT_EQ(found.most, expected);
}

Case top_n(const std::string& json) {
  return case_of(InputKind::top_n_embeddings, json);
}

/// s = 3/4; the one outside is at 1/4, the others at 1/2 and 1/4.
TEST(NearestOutside, CountsTheEdgeOfTheBall) {
  const Case input =
      top_n(R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["1"],["1"]],"N":2})");
  expect_count(2, counted<Interval>(input));
}

/// s = 2; the one outside is at 3/2, the others at 2 and 0.
TEST(NearestOutside, LeavesOutWhatIsFurther) {
  const Case input =
      top_n(R"({"weights":["2/5","2/5","1/5"],"embeddings":[["5"],["0"],["15/2"]],"N":2})");
  expect_count(1, counted<Interval>(input));
}

/// Tokens that are equal are as near, whatever their weights' enclosures say.
TEST(NearestOutside, KnowsEqualTokensOfLogits) {
  const Case input =
      top_n(R"({"logits":["1","0","0","0"],"embeddings":[["-5"],["1"],["1"],["1"]],"N":2})");
  expect_count(2, counted<ErrorDouble>(input));
  expect_count(2, counted<Interval>(input));
}

/// The second token is exp(-690) further than |s|, the one outside exp(-700).
TEST(NearestOutside, TellsTinyContributionsApart) {
  const Case input =
      top_n(R"({"logits":["0","-690","-700"],"embeddings":[["1"],["-1"],["-1"]],"N":2})");
  expect_count(1, counted<Interval>(input));
}

/// s = y_2, and both the first token and the one outside are 5 a_2 from it, by no common vector.
TEST(NearestOutside, AdmitsWhatCannotBeTold) {
  const Case input =
      top_n(R"({"logits":["0","-1","-1"],"embeddings":[["0","0"],["3","4"],["7","7"]],"N":2})");
  const CountBounds found = counted<Interval>(input);
  EXPECT_EQ(found.least, 1U);
  EXPECT_EQ(found.most, 2U);
}

/// Exact only where the count is and the difference is 0.
TEST(ShareAbove, EnclosesTheDifference) {
  const auto above = [](const CountBounds& count, const Rational& level) {
    return share_above<ErrorDouble>(count, 20, level);
  };
  EXPECT_EQ(above({17, 17}, most_share_shown()).value(), 0);
  EXPECT_EQ(above({17, 17}, most_share_shown()).error(), 0);
  EXPECT_EQ(above({14, 14}, least_share_shown()).error(), 0);
  EXPECT_GT(above({15, 15}, least_share_shown()).lower(), 0.0499);
  EXPECT_LT(above({15, 15}, least_share_shown()).upper(), 0.0501);
  const ErrorDouble open = above({13, 17}, least_share_shown());
  EXPECT_LE(open.lower(), -0.05);
  EXPECT_GE(open.lower(), -0.0501);
  EXPECT_GE(open.upper(), 0.15);
  EXPECT_LE(open.upper(), 0.1501);
}

}  // namespace
}  // namespace attn
