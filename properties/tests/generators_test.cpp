// The input families, tested like code: who belongs, which ends are reached, what shrinking does.
#include <gtest/gtest.h>
#include <rapidcheck/Random.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"
#include "properties/generators/fields.hpp"
#include "properties/generators/gen.hpp"
#include "properties/generators/membership.hpp"
#include "properties/generators/numbers.hpp"
#include "properties/generators/pieces.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/property.hpp"
#include "properties/tests/belongs.hpp"
#include "reports/tests/schema.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/case_schema.hpp"
#include "theory/attention/token_sets.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

constexpr int kDraws = 60;
constexpr int kSizeToShrink = 20;  // up to 18 tokens: enough to see every kind of step

/// One family of the cases of a claim.
struct Drawn {
  const Claim* claim;
  Family family;

  friend void PrintTo(const Drawn& drawn, std::ostream* out) {
    *out << drawn.family.name << " for " << drawn.claim->id;
  }
};

/// The families of every kind of input that some claim is given.
std::vector<Drawn> all_families() {
  std::vector<Drawn> all;
  for (const Claim& claim : catalogue()) {
    const auto is_given_the_same = [&](const Drawn& drawn) {
      return drawn.claim->kind == claim.kind;
    };
    if (std::ranges::any_of(all, is_given_the_same)) continue;
    for (const Family& family : property_of(claim).families) all.push_back({&claim, family});
  }
  return all;
}

std::string family_name(const testing::TestParamInfo<Drawn>& info) {
  std::string name = std::string(info.param.claim->id) + "_" + std::string(info.param.family.name);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// Draws of a family with their shrinks, small ones first.
std::vector<rc::Shrinkable<Case>> draws(const Claim& claim, const Family& family,
                                        int count = kDraws, int largest = 100) {
  const rc::Gen<Case> cases = gen::case_of(claim, family);
  rc::Random random(42);
  std::vector<rc::Shrinkable<Case>> result;
  for (int k = 0; k < count; ++k) {
    result.push_back(cases(random.split(), largest * k / (count - 1)));
  }
  return result;
}

class FamilyTest : public testing::TestWithParam<Drawn> {};

TEST_P(FamilyTest, EveryCaseIsValidAndBelongs) {
  const auto& [claim, family] = GetParam();
  for (const auto& drawn : draws(*claim, family)) {
    const Case input = drawn.value();
    ASSERT_NO_THROW(validate(*claim, input));
    ASSERT_TRUE(test::belongs(family, input));
    ASSERT_TRUE(counts_tokens(input) || tokens_of(input) <= family.max_tokens);
  }
}

TEST_P(FamilyTest, EveryCaseFitsTheSchemaOfItsKind) {
  const auto& [claim, family] = GetParam();
  const nlohmann::json schema = case_schema(claim->kind);
  for (const auto& drawn : draws(*claim, family, 5, 20)) {
    nlohmann::json written = to_json(drawn.value());
    EXPECT_EQ(report::schema_errors(schema, written), std::vector<std::string>{});
    written["nonsense"] = 1;
    EXPECT_NE(report::schema_errors(schema, written), std::vector<std::string>{});
  }
}

/// Shrinks stay in a family that a smaller case cannot leave. Other families say what a case must
/// have, which shrinking may take away.
TEST_P(FamilyTest, ShrinksAreValidAndStrictlySmaller) {
  const auto& [claim, family] = GetParam();
  const std::set<std::string_view> closed{"generic", "two_tokens", "n_is_one"};
  for (const auto& drawn : draws(*claim, family, 4, kSizeToShrink)) {
    const Measure size = measure(drawn.value());
    auto shrinks = drawn.shrinks();
    for (int k = 0; k < 1000; ++k) {
      const auto candidate = shrinks.next();
      if (!candidate) break;
      const Case smaller = candidate->value();
      ASSERT_NO_THROW(validate(*claim, smaller));
      ASSERT_LT(measure(smaller), size);
      ASSERT_TRUE(!closed.contains(family.name) || test::belongs(family, smaller));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Claims, FamilyTest, testing::ValuesIn(all_families()), family_name);

/// Every case of every family of such inputs.
std::vector<Case> many_cases(InputKind::Name kind) {
  Claim claim = catalogue().front();
  claim.kind = kind;
  std::vector<Case> all;
  for (const Family& family : property_of(claim).families) {
    for (const auto& drawn : draws(claim, family, 100)) all.push_back(drawn.value());
  }
  return all;
}

using Meets = bool (*)(const Case&);

bool some(const std::vector<Case>& all, Meets meets) {
  return std::ranges::any_of(all, meets);
}

/// That some case of the kind meets the first, another the second, and so on.
void expect_each(InputKind::Name kind, std::initializer_list<Meets> each) {
  const std::vector<Case> all = many_cases(kind);
  for (const Meets& meets : each) {
    EXPECT_TRUE(some(all, meets)) << kind << ": number " << &meets - each.begin();
  }
}

template <std::size_t tokens>
bool has_length(const Case& c) {
  return tokens_of(c) == tokens;
}

template <std::size_t dimension>
bool has_dimension(const Case& c) {
  return c.dimension == dimension;
}

template <std::size_t width>
bool has_width(const Case& c) {
  return c.query.size() == width;
}

/// Checks that cases reach both ends of the numbers of tokens, coordinates and selected tokens, of
/// temperatures and steps.
TEST(Ends, AreReached) {
  expect_each(
      InputKind::normalized_row,
      {has_length<2>, has_length<64>, [](const Case& c) { return c.temperature == dyadic(1, 30); },
       [](const Case& c) { return c.temperature == (1 << 30); }});
  expect_each(
      InputKind::top_n_embeddings,
      {has_length<2>, has_length<64>, [](const Case& c) { return c.embeddings[0].size() == 1; },
       [](const Case& c) { return c.embeddings[0].size() == 64; },
       [](const Case& c) { return tokens_of(c) > 2 && c.top_n == 1; },
       [](const Case& c) { return tokens_of(c) > 2 && c.top_n + 1 == tokens_of(c); },
       [](const Case& c) { return c.logits.empty(); },
       [](const Case& c) { return c.weights.empty(); },
       [](const Case& c) { return std::ranges::count(c.weights, Rational(0)) > 0; }});
  expect_each(InputKind::sphere_embeddings,
              {has_length<2>, has_length<64>, [](const Case& c) { return c.top_n == 1; },
               [](const Case& c) { return c.top_n == 14; }, has_dimension<1>, has_dimension<2>,
               has_dimension<3>, has_dimension<4>, has_dimension<8>, has_dimension<64>,
               [](const Case& c) { return c.r == c.sphere_radius; }});
  expect_each(InputKind::bounded_row,
              {[](const Case& c) { return !c.logit_bound; },
               [](const Case& c) { return bound_is_attained(c); },
               [](const Case& c) { return c.logit_bound && !bound_is_attained(c); }});
  expect_each(InputKind::softmax_direction,
              {[](const Case& c) { return c.epsilon == 16 * c.temperature; },
               [](const Case& c) { return c.epsilon == dyadic(1, 20) * c.temperature; }});
  expect_each(InputKind::polynomial_row, {[](const Case& c) { return c.exponent == 1; },
                                          [](const Case& c) { return c.exponent == 6; }});
  expect_each(InputKind::step_norm, {[](const Case& c) { return c.exponent == 1; },
                                     [](const Case& c) { return c.exponent == 64; }});
  expect_each(InputKind::longer_row, {[](const Case& c) { return c.appended.size() == 1; },
                                      [](const Case& c) { return c.appended.size() == 16; },
                                      [](const Case& c) {
                                        return c.appended.size() > 1 &&
                                               c.appended.front() == c.appended.back();
                                      }});
  expect_each(InputKind::lone_logits,
              {has_length<2>, has_length<64>, [](const Case& c) { return c.longer == c.length; },
               [](const Case& c) { return c.longer == c.length + 1; },
               [](const Case& c) { return c.longer > 900'000; },
               [](const Case& c) { return *c.spread > c.temperature; },
               [](const Case& c) { return *c.spread * 1024 <= c.temperature; }});
  expect_each(InputKind::query_keys, {has_width<1>, has_width<64>, has_length<64>});
  expect_each(InputKind::query_key, {has_width<1>, has_width<64>});
  expect_each(InputKind::self_attention, {has_length<16>});
  expect_each(InputKind::transport_plan, {has_length<2>, has_length<5>});
  expect_each(InputKind::equal_tokens,
              {has_length<1'000'000>, [](const Case& c) { return c.length < 1000; },
               [](const Case& c) { return c.length >= 1000 * c.top_n; },
               [](const Case& c) { return c.length == c.top_n + 1; }});
  expect_each(InputKind::two_level_tokens,
              {has_length<2>, has_length<1000>, has_length<1'000'000>});
  // Sets that are enumerated, and others that are sampled.
  expect_each(InputKind::random_set_embeddings,
              {has_length<64>, [](const Case& c) { return c.embeddings[0].size() == 64; },
               [](const Case& c) { return has_sets_to_sample(c); },
               [](const Case& c) {
                 return sets_of(tokens_of(c), c.top_n) > 300 && !has_sets_to_sample(c);
               }});
}

/// What the claims that are drawn for them assume holds by construction, at its edge too.
TEST(Ends, AreReachedByPairsOfTemperaturesAndOfSteps) {
  const auto rows = many_cases(InputKind::colder_row);
  for (const Case& c : rows) ASSERT_LT(*c.colder, c.temperature);
  EXPECT_TRUE(some(rows, [](const Case& c) { return *c.colder * 1024 == c.temperature; }));
  EXPECT_TRUE(some(rows, [](const Case& c) { return *c.colder * 64 == c.temperature * 63; }));
  const auto steps = many_cases(InputKind::softmax_steps);
  for (const Case& c : steps) ASSERT_LT(*c.epsilon, *c.larger_epsilon);
  EXPECT_TRUE(some(steps, [](const Case& c) { return c.larger_epsilon == 1024 * *c.epsilon; }));
}

TEST(Ends, ASinkMeetsItsAssumptionAndReachesItsEdge) {
  const auto unmet = find_claim("sink.no_op").unmet;
  bool edge = false;
  for (const Case& c : many_cases(InputKind::sink_embeddings)) {
    Case input = c;
    if (is_outside_theorem1(input)) continue;
    ASSERT_EQ(unmet(CaseContext(input)), "");
    *input.reach_constant *= 1 + dyadic(1, 40);
    edge = edge || !unmet(CaseContext(input)).empty();
  }
  EXPECT_TRUE(edge);
}

/// Every normaliser is drawn, those that a claim speaks of outside `other_normalizers` alone, and
/// counted as a class of their own.
TEST(Normalizers, BelongToTheFamilyThatSaysSo) {
  for (const char* const id :
       {"lemma2", "lemma1.lower", "theorem1.fixed", "theorem1.random.lower"}) {
    const Claim& claim = find_claim(id);
    std::set<Normalizer> usual;
    std::set<Normalizer> other;
    for (const Family& family : property_of(claim).families) {
      for (const auto& drawn : draws(claim, family, 200)) {
        const Case input = drawn.value();
        if (input.logits.empty()) continue;
        (family.sampling == SamplingMode::other_normalizers ? other : usual)
            .insert(input.normalizer);
      }
    }
    EXPECT_EQ(usual.size() + other.size(), 13U) << id;
    for (const Normalizer normalizer : usual) {
      EXPECT_FALSE(other.contains(normalizer));
      std::string words(to_string(normalizer));
      std::ranges::replace(words, '_', ' ');
      EXPECT_EQ(std::ranges::count(property_of(claim).classes, words, &InputClass::name), 1)
          << id << ": the class " << words;
    }
  }
}

template <class... Contains>
void expect_outside(const Case& input, Contains... contains) {
  std::size_t number = 0;
  for (const bool is_inside : {contains(input)...}) EXPECT_FALSE(is_inside) << number++;
}

TEST(Membership, TurnsOutsidersAway) {
  const Case plain{.kind = InputKind::top_n_embeddings,
                   .logits = {0, 1, 3},
                   .top_n = 2,
                   .embeddings = {{1, 0}, {0, 1}, {1, 1}}};
  expect_outside(plain, has_near_tie, has_exact_tie, has_dominant_token, is_flat, has_huge_gap,
                 logits_cancel, is_two_level, is_one_at_an_end, is_near_zero, has_zero_weight,
                 vectors_cancel, has_equal_vectors, has_collinear_vectors, has_coordinates<1>,
                 has_coordinates<64>, has_empty_sink, has_equal_sums, has_dominant_sum,
                 has_aligned_query, selects_one, has_tokens<2>, has_tokens<64>,
                 has_tokens<kMillion>, is_long, is_long_beside_n, is_cold, is_hot,
                 is_outside_lemma1, is_outside_lemma2, is_outside_theorem1, bound_is_attained,
                 is_short_step, is_long_step, moves_two_tokens, is_odd_degree, is_even_degree,
                 is_flat_plan, is_nearly_permutation, is_on_sphere<1>, is_on_sphere<3>,
                 is_in_other_dimensions, has_sets_to_sample);
  EXPECT_TRUE(selects_all_but_one(plain));
  EXPECT_TRUE(is_short(plain));
}

TEST(Membership, OfLogitsAtTheEdges) {
  Case input{.kind = InputKind::bounded_row, .logits = {2, -2, -2}};
  EXPECT_TRUE(is_one_at_an_end(input));
  EXPECT_TRUE(is_two_level(input));
  input.logit_bound = Rational(3);
  EXPECT_FALSE(is_one_at_an_end(input));
  EXPECT_FALSE(bound_is_attained(input));
  input.logits = {dyadic(1, 11), 0, 0};
  EXPECT_TRUE(is_near_zero(input));
  input.logits[0] = dyadic(1, 10);
  EXPECT_FALSE(is_near_zero(input));
  input.normalizer = Normalizer::sparsemax;
  EXPECT_TRUE(is_outside_lemma1(input));
  EXPECT_TRUE(is_outside_lemma2(input));
  EXPECT_FALSE(is_outside_theorem1(input));
  input.normalizer = Normalizer::scalable_softmax;
  EXPECT_TRUE(is_outside_lemma1(input));
  EXPECT_FALSE(is_outside_lemma2(input));
}

TEST(Membership, OfPlansAndQueries) {
  const Case near{.kind = InputKind::transport_plan,
                  .plan = {{Rational(9, 10), Rational(1, 10)}, {Rational(1, 10), Rational(9, 10)}}};
  EXPECT_TRUE(is_nearly_permutation(near));
  EXPECT_FALSE(is_flat_plan(near));
  const Case flat{.kind = InputKind::transport_plan, .plan = flat_plan(3)};
  EXPECT_TRUE(is_flat_plan(flat));
  EXPECT_FALSE(is_nearly_permutation(flat));
  Case query{.kind = InputKind::query_keys, .query = {1, 2}, .keys = {{2, 4}, {-1, -2}}};
  EXPECT_TRUE(has_aligned_query(query));
  query.keys[1] = {2, -1};
  EXPECT_FALSE(has_aligned_query(query));
}

TEST(Membership, OfASinkAndOfOneKey) {
  Case sink{.kind = InputKind::sink_embeddings, .embeddings = {{0, 0}, {1, 2}, {1, 2}}};
  EXPECT_TRUE(has_empty_sink(sink));
  sink.embeddings[0][1] = 1;
  EXPECT_FALSE(has_empty_sink(sink));
  sink.embeddings = {{0, 0}, {1, 2}, {1, 3}};
  EXPECT_FALSE(has_empty_sink(sink));
  Case key{.kind = InputKind::query_key, .query = {1, -4}, .keys = {{2, 7}}};
  EXPECT_TRUE(has_equal_sums(key));
  EXPECT_FALSE(has_dominant_sum(key));
  key.query[0] = 11;
  EXPECT_FALSE(has_equal_sums(key));
  EXPECT_TRUE(has_dominant_sum(key));
}

TEST(Membership, ANearTieIsNoExactTie) {
  Case tied{.kind = InputKind::softmax_row, .logits = {0, dyadic(1, 20), 5}};
  EXPECT_TRUE(has_near_tie(tied));
  EXPECT_FALSE(has_exact_tie(tied));
  tied.logits[1] = 0;
  EXPECT_FALSE(has_near_tie(tied));
  EXPECT_TRUE(has_exact_tie(tied));
}

TEST(CaseFeatures, HasTheGapsOfTheLogitsWhereTheWeightsAreInAnotherOrder) {
  // 1 + z + z^2/2 falls below z = -1.
  const Case input{.kind = InputKind::normalized_row,
                   .logits = {-5, 1, -3, -1},
                   .temperature = 2,
                   .normalizer = Normalizer::taylor};
  const CaseFeatures profile(input);
  EXPECT_EQ(profile.context().order(), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(profile.context().score_order(), (std::vector<std::size_t>{1, 3, 2, 0}));
  const auto& gaps = profile.gaps();
  ASSERT_TRUE(gaps);
  EXPECT_EQ(gaps->top, 1);
  EXPECT_EQ(gaps->bottom, -5);
  EXPECT_EQ(gaps->lead, 2);
  EXPECT_EQ(gaps->widest, 6);
  EXPECT_EQ(gaps->least, 2);
  EXPECT_FALSE(gaps->tied);
}

TEST(CaseFeatures, SeesGapsThatDoublesDoNot) {
  const Rational tiny = dyadic(1, 40) * dyadic(1, 40);
  Case input{.kind = InputKind::softmax_row, .logits = {1 + tiny, 7, 1, -3}};
  const CaseFeatures profile(input);
  EXPECT_EQ(profile.gaps()->least, tiny);
  EXPECT_FALSE(profile.gaps()->tied);
  EXPECT_EQ(profile.gaps()->lead, 6 - tiny);
  EXPECT_EQ(profile.gaps()->widest, 10);
  EXPECT_TRUE(has_near_tie(input));
  input = Case{.kind = InputKind::softmax_row, .logits = {tiny, -1, 1}};
  EXPECT_FALSE(logits_cancel(input));
  input = Case{.kind = InputKind::softmax_row, .logits = {tiny, -1, 1 - tiny}};
  EXPECT_TRUE(logits_cancel(input));
}

TEST(Membership, AZeroVectorLiesOnEveryLine) {
  Case input{.kind = InputKind::top_n_embeddings,
             .weights = {Rational(1, 2), Rational(1, 4), Rational(1, 4)},
             .embeddings = {{0, 0}, {1, 2}, {-2, -4}}};
  EXPECT_TRUE(has_collinear_vectors(input));
  input.embeddings[2] = {-2, 4};
  EXPECT_FALSE(has_collinear_vectors(input));
}

TEST(Draw, IntegersReachBothEndsAndNoFurther) {
  Draw draw(rc::Random(1));
  std::set<std::int64_t> seen;
  for (int k = 0; k < 500; ++k) seen.insert(draw.integer(-2, 3));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2, 3}));
}

TEST(Draw, SubsetsAreSortedAndDistinct) {
  Draw draw(rc::Random(2));
  for (int k = 0; k < 100; ++k) {
    const std::vector<std::size_t> subset = draw.subset(3, 5);
    ASSERT_EQ(subset.size(), 3U);
    EXPECT_TRUE(std::is_sorted(subset.begin(), subset.end()));
    EXPECT_EQ(std::adjacent_find(subset.begin(), subset.end()), subset.end());
    EXPECT_LT(subset.back(), 5U);
  }
  EXPECT_EQ(draw.subset(5, 5), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

/// What no family can say is a mistake of the code.
TEST(Draw, WhatNoFamilySaysIsALogicError) {
  Draw draw(rc::Random(4));
  EXPECT_THROW(draw_temperature(draw, static_cast<TemperatureRange>(99)), std::logic_error);
  EXPECT_THROW(draw_selected(draw, static_cast<Selection>(99), 4), std::logic_error);
  EXPECT_THROW(draw_scaled_logits(draw, static_cast<ScorePattern>(99), 4), std::logic_error);
  Claim claim = find_claim("corollary3");
  claim.kind = static_cast<InputKind::Name>(InputKind::competitors + 1);
  EXPECT_THROW(property_of(claim), std::logic_error);
}

TEST(Draw, SizesGrow) {
  Draw draw(rc::Random(3));
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(draw.grown(2, 64, 0), 2U);
    EXPECT_LE(draw.grown(2, 64, 30), 26U);
    EXPECT_LE(draw.grown(2, 64, 100), 64U);
  }
}

}  // namespace

}  // namespace attn::properties
