// Shrinking: the measure, the targets it reaches, its budget.
#include "properties/search/shrink.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>

#include "properties/generators/numbers.hpp"
#include "properties/generators/plan.hpp"
#include "properties/generators/smaller.hpp"

namespace attn::properties {

namespace {

constexpr ShrinkBudget kAmple{.attempts = 100'000, .time = std::chrono::minutes(5)};

rc::Shrinkable<Case> shrinkable(const Case& input, const Kind& kind) {
  return rc::shrinkable::shrinkRecur(Case(input),
                                     [kind](const Case& c) { return smaller_cases(c, kind); });
}

Case logit_case() {
  Case input;
  for (int i = 0; i < 20; ++i) input.logits.emplace_back(37 * i - 300, 16);
  input.temperature = Rational(7, 8);
  input.normalizer = Normalizer::taylor;
  return input;
}

Case embedding_case() {
  Case input;
  for (int i = 1; i <= 8; ++i) {
    input.weights.emplace_back(i, 36);
    input.embeddings.push_back({Rational(i, 4), Rational(-3 * i, 8), Rational(5)});
  }
  input.set = {1, 4, 6};
  return input;
}

Case sphere_case() {
  Case input;
  for (int i = 1; i <= 6; ++i) input.weights.emplace_back(i, 21);
  input.top_n = 4;
  input.dimension = 3;
  input.sphere_radius = Rational(5, 8);
  input.r = Rational(11, 64);
  input.delta = Rational(0);
  return input;
}

TEST(Shrink, WhateverFailsAlwaysReachesThePlainestCase) {
  const auto always = [](const Case&) { return true; };
  const Case logits = shrink(shrinkable(logit_case(), NormalizedRow{}), always, kAmple).input;
  EXPECT_EQ(logits.logits, (std::vector<Rational>{0, 0}));
  EXPECT_EQ(logits.temperature, 1);
  EXPECT_EQ(logits.normalizer, Normalizer::softmax);

  const Case embedded = shrink(shrinkable(embedding_case(), SetEmbeddings{}), always, kAmple).input;
  EXPECT_EQ(embedded.tokens(), 2U);
  EXPECT_EQ(embedded.embeddings, (std::vector<std::vector<Rational>>{{0}, {0}}));
  EXPECT_EQ(embedded.set, (std::vector<std::size_t>{0}));
  EXPECT_EQ(std::max(embedded.weights[0], embedded.weights[1]), 1) << "a share of (0, 1)";

  const Case sphere = shrink(shrinkable(sphere_case(), SphereEmbeddings{}), always, kAmple).input;
  EXPECT_EQ(sphere.tokens(), 2U);
  EXPECT_EQ(sphere.top_n, 1U);
  EXPECT_EQ(sphere.dimension, 1U);
  EXPECT_EQ(sphere.sphere_radius, Rational(1));
  EXPECT_EQ(sphere.r, Rational(1));
}

TEST(Shrink, TheOtherKindsReachThePlainestCaseToo) {
  const auto always = [](const Case&) { return true; };
  Case query;
  query.query = {Rational(3, 8), Rational(-5, 2)};
  query.keys = {{1, 7}, {Rational(1, 3), 2}, {-4, 0}};
  query.temperature = 5;
  const Case asked = shrink(shrinkable(query, QueryKeys{}), always, kAmple).input;
  EXPECT_EQ(asked.query, (std::vector<Rational>{0}));
  EXPECT_EQ(asked.keys, (std::vector<std::vector<Rational>>{{0}, {0}}));
  EXPECT_EQ(asked.temperature, 1);

  Case flat;
  flat.length = 123'456;
  flat.top_n = 77;
  flat.embeddings = {{Rational(3, 8), -2}};
  flat.epsilon = Rational(5, 16);
  const Case family = shrink(shrinkable(flat, EqualTokens{}), always, kAmple).input;
  EXPECT_EQ(family.length, 2U);
  EXPECT_EQ(family.top_n, 1U);
  EXPECT_EQ(family.embeddings, (std::vector<std::vector<Rational>>{{1}})) << "x must not be zero";
  EXPECT_EQ(family.epsilon, Rational(1));

  Case step = logit_case();
  step.normalizer = Normalizer::self_adjusted;
  step.step.assign(step.logits.size(), Rational(-3, 4));
  step.constant = Rational(100, 7);
  const Case moved =
      shrink(shrinkable(step, StepOf{Normalizer::self_adjusted}), always, kAmple).input;
  EXPECT_EQ(moved.tokens(), 2U);
  EXPECT_EQ(moved.normalizer, Normalizer::self_adjusted) << "the claim's own";
  EXPECT_EQ(moved.constant, Rational(1));
  EXPECT_EQ(std::max(moved.step[0], moved.step[1]), 1);
  EXPECT_EQ(std::min(moved.step[0], moved.step[1]), 0);
}

/// A plan stays doubly stochastic on the way down.
TEST(Shrink, PlansBecomeFlat) {
  Case input;
  input.plan = flat_plan(4);
  input.plan[0][0] += Rational(1, 8);
  input.plan[0][1] -= Rational(1, 8);
  input.plan[1][0] -= Rational(1, 8);
  input.plan[1][1] += Rational(1, 8);
  const auto start = shrinkable(input, TransportPlan{});
  const Case plain = shrink(
                         start, [](const Case&) { return true; }, kAmple)
                         .input;
  EXPECT_EQ(plain.plan, flat_plan(2));
  const auto uneven = [](const Case& c) { return c.plan[0][0] != c.plan[0][1]; };
  const Case kept = shrink(start, uneven, kAmple).input;
  EXPECT_EQ(kept.plan.size(), 2U);
  EXPECT_EQ(kept.plan[0][0] + kept.plan[0][1], 1);
  EXPECT_EQ(kept.plan[0][0] + kept.plan[1][0], 1);
}

TEST(Plan, WithoutATokenTheChainSkipsIt) {
  const Plan plan = {{Rational(1, 2), Rational(1, 4), Rational(1, 4)},
                     {Rational(1, 4), Rational(1, 2), Rational(1, 4)},
                     {Rational(1, 4), Rational(1, 4), Rational(1, 2)}};
  // 1/2 + (1/4)(1/4)/(1/2) and 1/4 + (1/4)(1/4)/(1/2).
  EXPECT_EQ(without_token(plan, 1),
            (Plan{{Rational(5, 8), Rational(3, 8)}, {Rational(3, 8), Rational(5, 8)}}));
}

TEST(Shrink, KeepsWhatTheFailureNeeds) {
  const auto five_tokens = [](const Case& c) { return c.tokens() >= 5; };
  EXPECT_EQ(shrink(shrinkable(logit_case(), NormalizedRow{}), five_tokens, kAmple).input.tokens(),
            5U);
  const auto two_coordinates = [](const Case& c) { return c.embeddings.front().size() >= 2; };
  EXPECT_EQ(shrink(shrinkable(embedding_case(), SetEmbeddings{}), two_coordinates, kAmple)
                .input.embeddings.front()
                .size(),
            2U);
  const auto in_space = [](const Case& c) { return c.dimension == 3 && *c.top_n >= 3; };
  const Case sphere = shrink(shrinkable(sphere_case(), SphereEmbeddings{}), in_space, kAmple).input;
  EXPECT_EQ(sphere.dimension, 3U);
  EXPECT_EQ(sphere.top_n, 3U);
  EXPECT_EQ(sphere.tokens(), 4U);
}

TEST(Shrink, NothingSmallerFailsAtTheMinimum) {
  const auto fails = [](const Case& c) {
    Rational sum = 0;
    for (const Rational& logit : c.logits) sum += logit;
    return sum > 3;
  };
  const Minimum minimum = shrink(shrinkable(logit_case(), NormalizedRow{}), fails, kAmple);
  EXPECT_TRUE(fails(minimum.input));
  EXPECT_FALSE(minimum.stopped_early);
  auto candidates = smaller_cases(minimum.input, NormalizedRow{});
  while (const auto candidate = candidates.next()) EXPECT_FALSE(fails(*candidate));
}

TEST(Shrink, StopsWhenItsAttemptsAreSpent) {
  const auto always = [](const Case&) { return true; };
  const Minimum minimum = shrink(shrinkable(logit_case(), NormalizedRow{}), always,
                                 {.attempts = 2, .time = kAmple.time});
  EXPECT_TRUE(minimum.stopped_early);
  EXPECT_EQ(minimum.attempts, 2U);
  EXPECT_EQ(minimum.steps, 2U);
}

TEST(Shrink, StopsWhenItsTimeIsSpent) {
  const auto always = [](const Case&) { return true; };
  const Minimum minimum = shrink(shrinkable(logit_case(), NormalizedRow{}), always,
                                 {.attempts = 100'000, .time = std::chrono::milliseconds(-1)});
  EXPECT_TRUE(minimum.stopped_early);
  EXPECT_EQ(minimum.attempts, 0U);
}

TEST(Shrink, ThePlainestCaseHasNothingSmaller) {
  Case input;
  input.logits = {0, 0};
  EXPECT_FALSE(smaller_cases(input, NormalizedRow{}).next());
}

TEST(Measure, CountsTokensThenCoordinatesThenBits) {
  Case fewer = embedding_case();
  fewer.weights = {Rational(1, 3), Rational(2, 3)};
  fewer.embeddings.resize(2);
  fewer.set = {1};
  EXPECT_LT(measure(fewer), measure(embedding_case()));
  Case flatter = fewer;
  for (auto& x : flatter.embeddings) x.pop_back();
  EXPECT_LT(measure(flatter), measure(fewer));
  Case plainer = flatter;
  plainer.embeddings[0][0] = 0;
  EXPECT_LT(measure(plainer), measure(flatter));
  EXPECT_EQ(measure(plainer), measure(plainer));
}

TEST(Numbers, BitsGrowWithWhatIsWritten) {
  EXPECT_EQ(bits(Rational(0)), 0U);
  EXPECT_EQ(bits(Rational(1)), 1U);
  EXPECT_EQ(bits(Rational(-1)), 2U);
  EXPECT_EQ(bits(Rational(4)), 3U);
  EXPECT_EQ(bits(Rational(3, 8)), 5U);
}

TEST(Numbers, TruncationIsTowardsZeroAndExact) {
  EXPECT_EQ(truncated(Rational(11, 8), 0), 1);
  EXPECT_EQ(truncated(Rational(-11, 8), 0), -1);
  EXPECT_EQ(truncated(Rational(11, 8), 2), Rational(5, 4));
  EXPECT_EQ(truncated(Rational(1, 3), 2), Rational(1, 4));
  EXPECT_EQ(truncated(Rational(3, 4), 5), Rational(3, 4));
}

TEST(Numbers, PlainerNumbersDifferAndKeepTheSignAskedFor) {
  for (const Rational& value : {Rational(-5, 8), Rational(7, 3), Rational(1), Rational(1, 1024)}) {
    for (const Rational& candidate : plainer(value, false)) EXPECT_NE(candidate, value);
    if (value > 0) {
      for (const Rational& candidate : plainer(value, true)) EXPECT_GT(candidate, 0);
    }
  }
}

TEST(Numbers, PartsAndSharesAreInverse) {
  const std::vector<Rational> weights{Rational(1, 6), Rational(1, 3), Rational(1, 2), Rational(0)};
  const std::vector<Integer> parts = parts_of(weights);
  EXPECT_EQ(parts, (std::vector<Integer>{1, 2, 3, 0}));
  EXPECT_EQ(shares_of(parts), weights);
}

}  // namespace

}  // namespace attn::properties
