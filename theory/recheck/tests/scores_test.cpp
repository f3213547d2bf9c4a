#include "theory/recheck/scores.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::recheck {
namespace {

using nlohmann::json;

TEST(Sparsemax, ProjectsOnTheSimplex) {
  using Vector = std::vector<Rational>;
  EXPECT_EQ(sparsemax({0, 0, 0}), (Vector{{1, 3}, {1, 3}, {1, 3}}));
  EXPECT_EQ(sparsemax({1, 0}), (Vector{1, 0}));
  EXPECT_EQ(sparsemax({{1, 2}, 0, -5}), (Vector{{3, 4}, {1, 4}, 0}));
  EXPECT_EQ(sparsemax({{1, 5}, {3, 10}, {1, 2}}), (Vector{{1, 5}, {3, 10}, {1, 2}}));
}

TEST(Entmax, RootsSquaredSumToOne) {
  for (const std::vector<Rational>& z :
       {std::vector<Rational>{0, 0, 0}, {1, 0, Rational(-1, 3), -4}, {2, 0}, {7, 0, 1}}) {
    Arb sum;
    for (const Arb& root : entmax_roots(z)) sum += square(root);
    EXPECT_NE(arb_contains_si(sum.get(), 1), 0);
    EXPECT_GT(arb_rel_accuracy_bits(sum.get()), 150);
  }
}

TEST(Entmax, SupportIsExact) {
  EXPECT_TRUE(is_zero(entmax_roots({2, 0})[1])) << "z_1/2 = tau exactly";
  EXPECT_TRUE(is_zero(entmax_roots({Rational(5, 2), 0})[1]));
  EXPECT_FALSE(is_zero(entmax_roots({Rational(19999, 10000), 0})[1]));
}

TEST(Scores, OfEveryDistributionSumToOne) {
  for (const char* name :
       {"softmax", "sigmoid", "softplus", "taylor", "scalable_softmax", "sparsemax", "entmax"}) {
    const json fields = {{"logits", {"1/2", "-1/8", "1/2", "1/4"}}, {"normalizer", name}};
    const Scores scores = scores_of(Input(fields));
    Arb sum;
    for (const Arb& a : scores.a) sum += a;
    EXPECT_NE(arb_contains_si(sum.get(), 1), 0) << name;
    EXPECT_EQ(scores.order, (std::vector<std::size_t>{0, 2, 3, 1})) << name;
    for (std::size_t i = 0; i < 4; ++i) {
      const Arb product = Arb(scores.factor[i]) * scores.basis[scores.kind[i]];
      EXPECT_NE(arb_overlaps(product.get(), scores.a[i].get()), 0) << name;
    }
  }
}

TEST(Scores, TaylorFallsBelowMinusOne) {
  const json fields = {{"logits", {-3, -1, 0}}, {"normalizer", "taylor"}};
  EXPECT_EQ(scores_of(Input(fields)).order, (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Scores, TokensOfWeightZeroAreTied) {
  for (const char* name : {"sparsemax", "entmax"}) {
    const json fields = {{"logits", {-9, 5, -8}}, {"normalizer", name}};
    EXPECT_EQ(scores_of(Input(fields)).order, (std::vector<std::size_t>{1, 0, 2})) << name;
  }
}

TEST(Scores, KnowThatEqualWeightsCancel) {
  const Scores scores = softmax_scores({1, 0, 1});
  Form form;
  scores.add(form, 0, Rational(2, 3));
  EXPECT_TRUE(is_zero(scores.difference(2, Rational(2, 3), form, scores.value(form))));
  EXPECT_FALSE(is_zero(scores.difference(1, Rational(2, 3), form, scores.value(form))));
  scores.add(form, 2, Rational(-2, 3));
  EXPECT_TRUE(form.empty());
}

TEST(Scores, RefuseWeightsThatAreNone) {
  for (const json& weights : {json{"1/2", "1/3"}, json{"3/2", "-1/2"}, json{"1"}}) {
    const json fields = {{"weights", weights}};
    EXPECT_THROW(scores_of(Input(fields)), BadInput) << weights.dump();
  }
  const json both = {{"weights", {"1/2", "1/2"}}, {"logits", {0, 0}}};
  EXPECT_BAD_INPUT(scores_of(Input(both)),
                   {.kind = BadInputKind::inconsistent, .where = "'weights'", .found = "both"});
  const json unknown = {{"logits", {0, 0}}, {"normalizer", "none"}};
  EXPECT_BAD_INPUT(scores_of(Input(unknown)),
                   {.kind = BadInputKind::unknown_name, .where = "'normalizer'"});
}

/// F' against the slope of a chord.
TEST(Normalizers, DerivativesAreThoseOfTheValues) {
  const Precision precision(400);
  const Rational step("1/1000000000000000000000000000000");
  for (const char* name : {"softmax", "sigmoid", "softplus", "taylor"}) {
    for (const Rational& z : {Rational(-7, 2), Rational(0), Rational(3, 4), Rational(20)}) {
      const Arb chord = (normalizer_at(name, Rational(z + step)).value -
                         normalizer_at(name, Rational(z - step)).value) /
                        Arb(Rational(2 * step));
      const Arb slope = normalizer_at(name, z).derivative;
      EXPECT_TRUE(abs(chord - slope) < abs(slope) * Arb(Rational(fmt::format("1/1{:050}", 0))))
          << name << " at " << z;
    }
  }
}

}  // namespace
}  // namespace attn::recheck
