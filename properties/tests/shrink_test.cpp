// Shrinking: the measure, the targets it reaches, its budget.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "properties/generators/gen.hpp"
#include "properties/generators/numbers.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/search/witness.hpp"

namespace attn::properties {

namespace {

constexpr ShrinkBudget kPatient{.attempts = 100'000, .time = std::chrono::minutes(5)};

bool always(const Case&) {
  return true;
}

/// The end of the way down from `input`.
template <class Fails>
Case shrunk(const Case& input, Fails fails) {
  return shrink(shrinkable(input), fails, kPatient).input;
}

Case logit_case() {
  Case input{.kind = InputKind::normalized_row};
  for (int i = 0; i < 20; ++i) input.logits.emplace_back(37 * i - 300, 16);
  input.temperature = Rational(7, 8);
  input.normalizer = Normalizer::taylor;
  return input;
}

Case embedding_case() {
  Case input{.kind = InputKind::set_embeddings};
  for (int i = 1; i <= 8; ++i) {
    input.weights.emplace_back(i, 36);
    input.embeddings.push_back({Rational(i, 4), Rational(-3 * i, 8), Rational(5)});
  }
  input.set = {1, 4, 6};
  return input;
}

Case sphere_case() {
  Case input{.kind = InputKind::sphere_embeddings};
  for (int i = 1; i <= 6; ++i) input.weights.emplace_back(i, 21);
  input.top_n = 4;
  input.dimension = 3;
  input.sphere_radius = Rational(5, 8);
  input.r = Rational(11, 64);
  input.delta = Rational(0);
  return input;
}

TEST(Shrink, WhateverFailsAlwaysReachesThePlainestCase) {
  const Case logits = shrunk(logit_case(), always);
  EXPECT_EQ(logits.logits, (std::vector<Rational>{0, 0}));
  EXPECT_EQ(logits.temperature, 1);
  EXPECT_EQ(logits.normalizer, Normalizer::softmax);

  const Case embedded = shrunk(embedding_case(), always);
  EXPECT_EQ(tokens_of(embedded), 2U);
  EXPECT_EQ(embedded.embeddings, (std::vector<std::vector<Rational>>{{0}, {0}}));
  EXPECT_EQ(embedded.set, (std::vector<std::size_t>{0}));
  EXPECT_EQ(std::max(embedded.weights[0], embedded.weights[1]), 1) << "a share of (0, 1)";

  const Case sphere = shrunk(sphere_case(), always);
  EXPECT_EQ(tokens_of(sphere), 2U);
  EXPECT_EQ(sphere.top_n, 1U);
  EXPECT_EQ(sphere.dimension, 1U);
  EXPECT_EQ(sphere.sphere_radius, Rational(1));
  EXPECT_EQ(sphere.r, Rational(1));
}

TEST(Shrink, OtherKindsReachThePlainestCaseToo) {
  const auto expect_shrunk = [](const Case& from, const Case& to) {
    EXPECT_EQ(shrunk(from, always), to) << rc::toString(shrunk(from, always));
  };
  expect_shrunk({.kind = InputKind::query_key,
                 .query = {Rational(3, 8), 2, 5},
                 .keys = {{1, Rational(1, 3), 7}}},
                {.kind = InputKind::query_key, .query = {0}, .keys = {{0}}});
  // u must not be zero.
  expect_shrunk({.kind = InputKind::sink_embeddings,
                 .weights = {Rational(1, 2), Rational(1, 3), Rational(1, 6)},
                 .embeddings = {{0, 1}, {2, 0}, {3, 7}},
                 .direction = {0, Rational(5, 3)},
                 .reach_constant = Rational(1, 7)},
                {.kind = InputKind::sink_embeddings,
                 .weights = {0, 1},
                 .embeddings = {{0}, {0}},
                 .direction = {1},
                 .reach_constant = 1});
  const Case levels{.kind = InputKind::two_level_tokens,
                    .length = 123'456,
                    .spread = Rational(3, 8),
                    .temperature = 5,
                    .epsilon = Rational(1, 7)};
  expect_shrunk(levels,
                {.kind = InputKind::two_level_tokens, .length = 2, .spread = 1, .epsilon = 1});
  const auto is_long = [](const Case& c) { return tokens_of(c) >= 700; };
  EXPECT_EQ(shrunk(levels, is_long).length, 700U);
}

/// A plan stays doubly stochastic on the way down.
TEST(Shrink, PlansBecomeFlat) {
  Case input{.kind = InputKind::transport_plan, .plan = flat_plan(4)};
  input.plan[0][0] += Rational(1, 8);
  input.plan[0][1] -= Rational(1, 8);
  input.plan[1][0] -= Rational(1, 8);
  input.plan[1][1] += Rational(1, 8);
  EXPECT_EQ(shrunk(input, always).plan, flat_plan(2));
  const auto uneven = [](const Case& c) {
    const Plan& plan = c.plan;
    return plan[0][0] != plan[0][1];
  };
  const Case kept = shrunk(input, uneven);
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
  const auto five_tokens = [](const Case& c) { return tokens_of(c) >= 5; };
  EXPECT_EQ(tokens_of(shrunk(logit_case(), five_tokens)), 5U);
  const auto two_coordinates = [](const Case& c) { return c.embeddings.front().size() >= 2; };
  EXPECT_EQ(shrunk(embedding_case(), two_coordinates).embeddings.front().size(), 2U);
  const auto in_space = [](const Case& c) { return c.dimension == 3 && c.top_n >= 3; };
  const Case sphere = shrunk(sphere_case(), in_space);
  EXPECT_EQ(sphere.dimension, 3U);
  EXPECT_EQ(sphere.top_n, 3U);
  EXPECT_EQ(tokens_of(sphere), 4U);
}

TEST(Shrink, NothingSmallerFailsAtTheMinimum) {
  const auto fails = [](const Case& c) {
    Rational sum = 0;
    for (const Rational& logit : c.logits) sum += logit;
    return sum > 3;
  };
  const Minimum minimum = shrink(shrinkable(logit_case()), fails, kPatient);
  EXPECT_TRUE(fails(minimum.input));
  EXPECT_FALSE(minimum.stopped_early);
  auto candidates = shrinkable(minimum.input).shrinks();
  while (const auto candidate = candidates.next()) EXPECT_FALSE(fails(candidate->value()));
}

TEST(Shrink, StopsWhenItsAttemptsAreSpent) {
  const Minimum minimum =
      shrink(shrinkable(logit_case()), always, {.attempts = 2, .time = kPatient.time});
  EXPECT_TRUE(minimum.stopped_early);
  EXPECT_EQ(minimum.attempts, 2U);
  EXPECT_EQ(minimum.steps, 2U);
}

TEST(Shrink, StopsWhenItsTimeIsSpent) {
  const Minimum minimum = shrink(shrinkable(logit_case()), always,
                                 {.attempts = 100'000, .time = std::chrono::milliseconds(-1)});
  EXPECT_TRUE(minimum.stopped_early);
  EXPECT_EQ(minimum.attempts, 0U);
}

TEST(Shrink, ThePlainestCaseHasNothingSmaller) {
  EXPECT_FALSE(shrinkable({.kind = InputKind::normalized_row, .logits = {0, 0}}).shrinks().next());
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
}

/// Every part of a case that its complexity counts, worked out by hand: a temperature of 1 has one
/// bit, and so has each weight.
TEST(Measure, CountsEveryPartOfACase) {
  const auto complexity = [](const Case& input) { return measure(input).complexity; };
  const Case row{.kind = InputKind::normalized_row, .logits = {0, 0}};
  EXPECT_EQ(complexity(row), 1U);
  Case numbers = row;
  numbers.logits = {Rational(-1), Rational(3, 8)};
  EXPECT_EQ(complexity(numbers), 1U + 2U + 5U);
  Case colder = row;
  colder.temperature = 4;
  EXPECT_EQ(complexity(colder), 3U);
  for (const Normalizer normalizer : {Normalizer::softmax, Normalizer::taylor, Normalizer::sigmoid,
                                      Normalizer::softplus, Normalizer::sparsemax}) {
    Case other = row;
    other.normalizer = normalizer;
    EXPECT_EQ(complexity(other), 1U + static_cast<std::size_t>(normalizer));
  }
  Case set{.kind = InputKind::set_embeddings,
           .weights = {Rational(1, 3), Rational(1, 3), Rational(1, 3)},
           .embeddings = {{0}, {0}, {0}}};
  const std::size_t without = complexity(set);
  for (const auto& [tokens, added] :
       {std::pair{std::vector<std::size_t>{0}, 1U}, {{2}, 3U}, {{0, 1}, 3U}, {{1, 2}, 5U}}) {
    set.set = tokens;
    EXPECT_EQ(complexity(set), without + added);
  }
  Case top{.kind = InputKind::top_n_embeddings,
           .weights = {Rational(1, 2), Rational(1, 2), Rational(0)},
           .embeddings = {{0}, {0}, {0}}};
  EXPECT_EQ(complexity(top), 2U) << "beside weights there is no temperature";
  top.top_n = 2;
  EXPECT_EQ(complexity(top), 2U + 2U);
  top.weights = {Rational(3, 4), Rational(1, 4), Rational(0)};
  EXPECT_EQ(complexity(top), 2U + 2U + 1U);
}

TEST(Numbers, BitsGrowWithWhatIsWritten) {
  EXPECT_EQ(bits(Rational(0)), 0U);
  EXPECT_EQ(bits(Rational(1)), 1U);
  EXPECT_EQ(bits(Rational(-1)), 2U);
  EXPECT_EQ(bits(Rational(4)), 3U);
  EXPECT_EQ(bits(Rational(3, 8)), 5U);
  EXPECT_EQ(bits(Rational(-3, 7)), 5U);
  EXPECT_EQ(bits(Rational(0x1p-1074)), 1U + 1074U);
  EXPECT_EQ(bits(Rational(0x1.8p1023)), 1024U);
  EXPECT_EQ(bits(Rational(Integer(1) << 2000)), 2001U);
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
  std::vector<Rational> shares;
  EXPECT_TRUE(set_shares(shares, parts));
  EXPECT_EQ(shares, weights);
  EXPECT_FALSE(set_shares(shares, {0, 0}));
  EXPECT_FALSE(set_shares(shares, {3, -1}));
  EXPECT_EQ(shares, weights);
}

}  // namespace

}  // namespace attn::properties
