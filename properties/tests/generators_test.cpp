// The input families, tested like code: who belongs, which ends are reached, what shrinking does.
#include <gtest/gtest.h>
#include <rapidcheck/Random.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"
#include "properties/generators/membership.hpp"
#include "properties/generators/plan.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/property.hpp"
#include "reports/tests/schema.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/case_schema.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

constexpr int kDraws = 60;
constexpr int kSizeToShrink = 20;  // up to 18 tokens: enough to see every kind of step

/// One family of inputs, and a claim that they are for.
struct Drawn {
  const Claim* claim;
  Given inputs;
  Family family;

  friend void PrintTo(const Drawn& drawn, std::ostream* out) {
    *out << drawn.family.name << " for " << drawn.claim->id;
  }
};

/// The families of every kind of input that some claim is given.
std::vector<Drawn> all_families() {
  std::vector<Drawn> all;
  std::vector<Given> seen;
  for (const Claim& claim : catalogue()) {
    const Given inputs = given(claim);
    if (std::find(seen.begin(), seen.end(), inputs) != seen.end()) continue;
    seen.push_back(inputs);
    for (const Family& family : families_of(inputs)) all.push_back({&claim, inputs, family});
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Drawn>& info) {
  std::string name = std::string(info.param.claim->id) + "_" + std::string(info.param.family.name);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// Draws of a family, small ones first.
std::vector<rc::Shrinkable<Case>> draws(const Given& inputs, const Family& family,
                                        int count = kDraws, int largest = 100) {
  const rc::Gen<Case> generator = cases(inputs, family);
  rc::Random random(42);
  std::vector<rc::Shrinkable<Case>> result;
  for (int k = 0; k < count; ++k) {
    result.push_back(generator(random.split(), largest * k / (count - 1)));
  }
  return result;
}

class FamilyTest : public testing::TestWithParam<Drawn> {};

TEST_P(FamilyTest, EveryCaseIsValidAndBelongs) {
  const auto& [claim, inputs, family] = GetParam();
  for (const auto& drawn : draws(inputs, family)) {
    const Case input = drawn.value();
    ASSERT_NO_THROW(validate(*claim, input));
    ASSERT_TRUE(family.contains(input));
    ASSERT_TRUE(input.length || input.tokens() <= family.max_tokens);
  }
}

TEST_P(FamilyTest, EveryCaseFitsTheSchemaOfItsKind) {
  const auto& [claim, inputs, family] = GetParam();
  const nlohmann::json schema = case_schema(claim->kind);
  for (const auto& drawn : draws(inputs, family, 5, 20)) {
    nlohmann::json written = to_json(drawn.value());
    EXPECT_EQ(report::schema_errors(schema, written), std::vector<std::string>{});
    written["nonsense"] = 1;
    EXPECT_NE(report::schema_errors(schema, written), std::vector<std::string>{});
  }
}

TEST_P(FamilyTest, TheSameRandomGivesTheSameCase) {
  const auto& [claim, inputs, family] = GetParam();
  const auto once = draws(inputs, family, 5);
  const auto again = draws(inputs, family, 5);
  for (std::size_t k = 0; k < once.size(); ++k) {
    const Case a = once[k].value();
    const Case b = again[k].value();
    EXPECT_EQ(a.logits, b.logits);
    EXPECT_EQ(a.weights, b.weights);
    EXPECT_EQ(a.embeddings, b.embeddings);
    EXPECT_EQ(a.r, b.r);
    EXPECT_EQ(a.keys, b.keys);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.direction, b.direction);
    EXPECT_EQ(a.length, b.length);
    EXPECT_EQ(a.plan, b.plan);
  }
}

TEST_P(FamilyTest, ShrinksAreValidAndStrictlySmaller) {
  const auto& [claim, inputs, family] = GetParam();
  for (const auto& drawn : draws(inputs, family, 4, kSizeToShrink)) {
    const Measure size = measure(drawn.value());
    auto shrinks = drawn.shrinks();
    for (int k = 0; k < 1000; ++k) {
      const auto candidate = shrinks.next();
      if (!candidate) break;
      ASSERT_NO_THROW(validate(*claim, candidate->value()));
      ASSERT_LT(measure(candidate->value()), size);
    }
  }
}

/// Families that a smaller case cannot leave. The others say what a case must have, which shrinking
/// may take away.
TEST_P(FamilyTest, ShrinksStayWhereTheyMust) {
  const auto& [claim, inputs, family] = GetParam();
  const std::set<std::string_view> closed{"generic", "two_tokens", "n_is_one"};
  if (!closed.contains(family.name)) return;
  for (const auto& drawn : draws(inputs, family, 4, kSizeToShrink)) {
    auto shrinks = drawn.shrinks();
    for (int k = 0; k < 1000; ++k) {
      const auto candidate = shrinks.next();
      if (!candidate) break;
      ASSERT_TRUE(family.contains(candidate->value()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Claims, FamilyTest, testing::ValuesIn(all_families()), name_of);

/// Every case of every family of such inputs.
std::vector<Case> many_cases(const Given& inputs) {
  std::vector<Case> all;
  for (const Family& family : families_of(inputs)) {
    for (const auto& drawn : draws(inputs, family, 100)) all.push_back(drawn.value());
  }
  return all;
}

template <class Predicate>
bool some(const std::vector<Case>& all, Predicate predicate) {
  return std::any_of(all.begin(), all.end(), predicate);
}

TEST(Ends, AreReachedByLogits) {
  const std::vector<Case> all = many_cases({NormalizedRow{}});
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 2; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 64; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.temperature == dyadic(1, 30); }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.temperature == (1 << 30); }));
  for (const Case& c : many_cases({SoftmaxRow{}})) {
    ASSERT_EQ(c.normalizer, Normalizer::softmax);
  }
}

TEST(Ends, AreReachedByEmbeddings) {
  const std::vector<Case> all = many_cases({TopNEmbeddings{}});
  const auto width = [](const Case& c) { return c.embeddings.front().size(); };
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 2; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 64; }));
  EXPECT_TRUE(some(all, [&](const Case& c) { return width(c) == 1; }));
  EXPECT_TRUE(some(all, [&](const Case& c) { return width(c) == 64; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() > 2 && c.top_n == 1; }));
  EXPECT_TRUE(
      some(all, [](const Case& c) { return c.tokens() > 2 && *c.top_n + 1 == c.tokens(); }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.logits.empty(); }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.weights.empty(); }));
  EXPECT_TRUE(some(all, [](const Case& c) {
    return std::find(c.weights.begin(), c.weights.end(), 0) != c.weights.end();
  }));
}

TEST(Ends, AreReachedOnTheSphere) {
  const std::vector<Case> all = many_cases({SphereEmbeddings{}});
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 2; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 64; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.top_n == 1; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.top_n == 14; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.dimension == 1; }));
  for (const std::size_t d : {2U, 3U, 4U, 8U, 64U}) {
    EXPECT_TRUE(some(all, [=](const Case& c) { return c.dimension == d; })) << d;
  }
  EXPECT_TRUE(some(all, [](const Case& c) { return c.r == c.sphere_radius; }));
}

TEST(Ends, TheRadiusUpToEveryXiIsReachedAndNotExceeded) {
  bool reached = false;
  for (const Case& c : many_cases({SphereEmbeddings{}, Radius::up_to_every_xi})) {
    std::vector<Rational> weights = c.weights;
    std::sort(weights.begin(), weights.end(), std::greater<>());
    Rational sum = 0;
    for (std::size_t i = 1; i < *c.top_n; ++i) sum += weights[i];
    ASSERT_LE(*c.r, *c.sphere_radius * sum);
    reached = reached || *c.r == *c.sphere_radius * sum;
  }
  EXPECT_TRUE(reached);
}

/// The parameters that go with logits reach both ends of their ranges.
TEST(Ends, AreReachedByBoundsStepsAndDegrees) {
  const std::vector<Case> bounded = many_cases({BoundedRow{}});
  EXPECT_TRUE(some(bounded, [](const Case& c) { return !c.bound; }));
  EXPECT_TRUE(some(bounded, [](const Case& c) { return bound_is_attained(c); }));
  EXPECT_TRUE(some(bounded, [](const Case& c) { return c.bound && !bound_is_attained(c); }));
  const std::vector<Case> steps = many_cases({SoftmaxDirection{}});
  EXPECT_TRUE(some(steps, [](const Case& c) { return *c.epsilon == 16 * c.temperature; }));
  EXPECT_TRUE(
      some(steps, [](const Case& c) { return *c.epsilon == dyadic(1, 20) * c.temperature; }));
  const std::vector<Case> powers = many_cases({RowOf{Normalizer::polynomial}});
  EXPECT_TRUE(some(powers, [](const Case& c) { return c.degree == 1; }));
  EXPECT_TRUE(some(powers, [](const Case& c) { return c.degree == 6; }));
  for (const Case& c : powers) ASSERT_EQ(c.normalizer, Normalizer::polynomial);
}

TEST(Ends, AreReachedByQueriesFlatFamiliesAndPlans) {
  const std::vector<Case> queries = many_cases({QueryKeys{}});
  EXPECT_TRUE(some(queries, [](const Case& c) { return c.query.size() == 1; }));
  EXPECT_TRUE(some(queries, [](const Case& c) { return c.query.size() == 64; }));
  EXPECT_TRUE(some(queries, [](const Case& c) { return c.keys.size() == 64; }));
  const std::vector<Case> flat = many_cases({EqualTokens{}});
  EXPECT_TRUE(some(flat, [](const Case& c) { return c.length == 1'000'000; }));
  EXPECT_TRUE(some(flat, [](const Case& c) { return *c.length < 1000; }));
  EXPECT_TRUE(some(flat, [](const Case& c) { return *c.length >= 1000 * *c.top_n; }));
  EXPECT_TRUE(some(flat, [](const Case& c) { return *c.length == *c.top_n + 1; }));
  const std::vector<Case> plans = many_cases({TransportPlan{}});
  EXPECT_TRUE(some(plans, [](const Case& c) { return c.plan.size() == 2; }));
  EXPECT_TRUE(some(plans, [](const Case& c) { return c.plan.size() == 5; }));
}

TEST(Ends, RandomSetsAreEnumeratedOrSampled) {
  const std::vector<Case> all = many_cases({RandomSetEmbeddings{}});
  EXPECT_TRUE(some(all, [](const Case& c) { return c.tokens() == 64; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return c.embeddings.front().size() == 64; }));
  EXPECT_TRUE(some(all, [](const Case& c) { return has_sets_to_sample(c); }));
  EXPECT_TRUE(some(all, [](const Case& c) {
    return sets_of(c.tokens(), *c.top_n) > 300 && !has_sets_to_sample(c);
  }));
}

/// Every normaliser is drawn, those that a claim speaks of outside `other_normalizers` alone.
TEST(Normalizers, BelongToTheFamilyThatSaysSo) {
  for (const Kind& kind :
       std::vector<Kind>{NormalizedRow{}, BoundedRow{}, TopNEmbeddings{}, RandomSetEmbeddings{}}) {
    std::set<Normalizer> usual;
    std::set<Normalizer> other;
    for (const Family& family : families_of({kind})) {
      for (const auto& drawn : draws({kind}, family, 200)) {
        const Case input = drawn.value();
        if (input.logits.empty()) continue;
        (family.reach == Reach::other_normalizers ? other : usual).insert(input.normalizer);
      }
    }
    EXPECT_EQ(usual.size() + other.size(), 13U) << name_of(kind);
    for (const Normalizer normalizer : usual) EXPECT_FALSE(other.contains(normalizer));
  }
}

TEST(Membership, TurnsOutsidersAway) {
  Case plain;
  plain.logits = {0, 1, 3};
  plain.embeddings = {{1, 0}, {0, 1}, {1, 1}};
  plain.top_n = 2;
  for (const auto& contains : {has_near_tie,
                               has_exact_tie,
                               has_dominant_token,
                               is_flat,
                               has_huge_gap,
                               logits_cancel,
                               is_two_level,
                               is_one_at_an_end,
                               is_near_zero,
                               has_zero_weight,
                               vectors_cancel,
                               has_equal_vectors,
                               has_collinear_vectors,
                               has_one_coordinate,
                               has_64_coordinates,
                               has_aligned_query,
                               selects_one,
                               has_two_tokens,
                               has_64_tokens,
                               has_a_million_tokens,
                               is_long,
                               is_long_beside_n,
                               is_cold,
                               is_hot,
                               is_outside_lemma1,
                               is_outside_lemma2,
                               is_outside_theorem1,
                               bound_is_attained,
                               is_short_step,
                               is_long_step,
                               moves_two_tokens,
                               is_odd_degree,
                               is_even_degree,
                               is_flat_plan,
                               is_nearly_permutation,
                               is_on_line,
                               is_in_space,
                               is_in_other_dimensions,
                               has_sets_to_sample}) {
    EXPECT_FALSE(contains(plain));
  }
  EXPECT_TRUE(selects_all_but_one(plain));
  EXPECT_TRUE(is_short(plain));
}

TEST(Membership, OfLogitsAtTheEdges) {
  Case input;
  input.logits = {2, -2, -2};
  EXPECT_TRUE(is_one_at_an_end(input));
  EXPECT_TRUE(is_two_level(input));
  input.bound = Rational(3);
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
  Case plan;
  plan.plan = {{Rational(9, 10), Rational(1, 10)}, {Rational(1, 10), Rational(9, 10)}};
  EXPECT_TRUE(is_nearly_permutation(plan));
  EXPECT_FALSE(is_flat_plan(plan));
  plan.plan = flat_plan(3);
  EXPECT_TRUE(is_flat_plan(plan));
  EXPECT_FALSE(is_nearly_permutation(plan));
  Case query;
  query.query = {1, 2};
  query.keys = {{2, 4}, {-1, -2}};
  EXPECT_TRUE(has_aligned_query(query));
  query.keys[1] = {2, -1};
  EXPECT_FALSE(has_aligned_query(query));
}

TEST(Membership, ANearTieIsNoExactTie) {
  Case tied;
  tied.logits = {0, dyadic(1, 20), 5};
  EXPECT_TRUE(has_near_tie(tied));
  EXPECT_FALSE(has_exact_tie(tied));
  tied.logits[1] = 0;
  EXPECT_FALSE(has_near_tie(tied));
  EXPECT_TRUE(has_exact_tie(tied));
}

TEST(Profile, SeesGapsThatDoublesDoNot) {
  Case input;
  const Rational tiny = dyadic(1, 40) * dyadic(1, 40);
  input.logits = {1 + tiny, 7, 1, -3};
  const Profile profile(input);
  EXPECT_EQ(profile.gaps()->least, tiny);
  EXPECT_FALSE(profile.gaps()->tied);
  EXPECT_EQ(profile.gaps()->lead, 6 - tiny);
  EXPECT_EQ(profile.gaps()->widest, 10);
  EXPECT_TRUE(has_near_tie(input));
  input.logits = {tiny, -1, 1};
  EXPECT_FALSE(logits_cancel(input));
  input.logits = {tiny, -1, 1 - tiny};
  EXPECT_TRUE(logits_cancel(input));
}

TEST(Membership, AZeroVectorLiesOnEveryLine) {
  Case input;
  input.weights = {Rational(1, 2), Rational(1, 4), Rational(1, 4)};
  input.embeddings = {{0, 0}, {1, 2}, {-2, -4}};
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
