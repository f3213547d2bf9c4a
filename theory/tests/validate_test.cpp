#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "theory/base/bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A case of one claim and what the refusal must say.
struct Refusal {
  const char* name;
  const char* claim;
  const char* json;
  const char* message;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, SaysWhatIsWrong) {
  const auto& [name, claim, json, message] = GetParam();
  try {
    read_case(find_claim(claim), nlohmann::json::parse(json));
    FAIL() << "taken: " << json;
  } catch (const BadInput& e) {
    EXPECT_THAT(e.what(), HasSubstr(message));
    EXPECT_THAT(e.what(), HasSubstr(std::string("case of ") + claim));
    EXPECT_THAT(e.what(), Not(HasSubstr("\n")));
  }
}

constexpr const char* kLogits = "lemma2";
constexpr const char* kSoftmax = "corollary3";
constexpr const char* kTop = "theorem1.fixed";
constexpr const char* kSet = "theorem1.fixed.any_set";
constexpr const char* kSphere = "theorem2.lower";
constexpr const char* kBounded = "lemma1.lower";
constexpr const char* kKeys = "corollary1.lower";
constexpr const char* kRandomSet = "theorem1.random.lower";
constexpr const char* kFlat = "collapse.proportional";
constexpr const char* kDirection = "corollary3.step";
constexpr const char* kStep = "lipschitz.sparsemax";
constexpr const char* kPlan = "lipschitz.sinkhorn";

const Refusal kRefusals[] = {
    {"no_logits", kLogits, R"({})", "at least 2 tokens are needed, found 0"},
    {"one_logit", kLogits, R"({"logits": ["1"]})", "at least 2 tokens are needed, found 1"},
    {"logits_and_weights", kLogits, R"({"logits": ["1", "2"], "weights": ["1/2", "1/2"]})",
     "logits or weights, not both"},
    {"zero_temperature", kLogits, R"({"logits": ["1", "2"], "temperature": 0})",
     "temperature must be > 0, found 0"},
    {"negative_temperature", kSoftmax, R"({"logits": ["1", "2"], "temperature": "-0.5"})",
     "temperature must be > 0, found -0.5"},
    {"not_softmax", kSoftmax, R"({"logits": ["1", "2"], "normalizer": "sigmoid"})",
     "speaks of softmax, found normalizer sigmoid"},
    {"neither_logits_nor_weights", kTop, R"({"embeddings": [["1"], ["1"]], "N": 1})",
     "needs logits or weights, found neither"},
    {"both_logits_and_weights", kTop,
     R"({"logits": ["1", "2"], "weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 1})",
     "logits or weights, not both"},
    {"one_weight", kTop, R"({"weights": ["1"], "embeddings": [["1"]], "N": 1})",
     "at least 2 tokens are needed, found 1"},
    {"negative_weight", kTop,
     R"({"weights": ["-1/2", "3/2"], "embeddings": [["1"], ["1"]], "N": 1})",
     "weights must be >= 0, found -0.5"},
    {"sum_below_one", kTop, R"({"weights": ["1/2", "0.4"], "embeddings": [["1"], ["1"]], "N": 1})",
     "weights must sum to exactly 1, found a sum off by -0.1"},
    {"sum_barely_above_one", kTop,
     R"({"weights": ["0.5", "0.50000000000000000000000000000001"],
         "embeddings": [["1"], ["1"]], "N": 1})",
     "weights must sum to exactly 1, found a sum off by 1e-32"},
    {"N_missing", kTop, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]]})",
     "N is missing"},
    {"N_zero", kTop, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 0})",
     "N must be in 1..L-1 = 1..1, found 0"},
    {"N_equals_L", kTop, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 2})",
     "N must be in 1..L-1 = 1..1, found 2"},
    {"N_huge", kTop,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 18446744073709551615})",
     "found 18446744073709551615"},
    {"N_and_set", kTop,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 1, "set": [0]})",
     "give N or set, not both"},
    {"embeddings_missing", kTop, R"({"weights": ["1/2", "1/2"], "N": 1})",
     "one row a token, 2 expected, found 0"},
    {"embeddings_too_many", kTop,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"], ["1"]], "N": 1})",
     "one row a token, 2 expected, found 3"},
    {"embeddings_ragged", kTop,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1", "2"], ["1"]], "N": 1})",
     "rows of equal length >= 1 are needed, found 2 and 1"},
    {"set_missing", kSet, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]]})",
     "set must hold 1..L-1 = 1..1 tokens, found 0"},
    {"set_of_all", kSet,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "set": [0, 1]})",
     "set must hold 1..L-1 = 1..1 tokens, found 2"},
    {"set_and_N", kSet,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "set": [0], "N": 1})",
     "give N or set, not both"},
    {"set_out_of_range", kSet,
     R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "set": [2]})",
     "token 2 is not in 0..1"},
    {"set_with_a_token_twice", kSet,
     R"({"weights": ["1/3", "1/3", "1/3"], "embeddings": [["1"], ["1"], ["1"]], "set": [1, 1]})",
     "a token stands twice"},
    {"sphere_of_logits", kSphere,
     R"({"logits": ["1", "2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 3})",
     "speaks of no logits; its fields are weights, N, M, r, delta, dimension"},
    {"M_missing", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "r": 1, "delta": 0, "dimension": 3})", "M is missing"},
    {"M_zero", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 0, "r": 1, "delta": 0, "dimension": 3})",
     "M must be > 0, found 0"},
    {"r_missing", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "delta": 0, "dimension": 3})", "r is missing"},
    {"r_negative", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": "-1", "delta": 0, "dimension": 3})",
     "r must be > 0, found -1"},
    {"delta_missing", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "dimension": 3})", "delta is missing"},
    {"delta_negative", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": "-1/9", "dimension": 3})",
     "delta must be >= 0, found -1/9"},
    {"dimension_missing", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0})",
     "dimension must be in 1..4096, found none"},
    {"dimension_too_large", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 4097})",
     "found 4097"},
    {"dimension_zero", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 0})",
     "found 0"},
    {"keys_beside_logits", kSoftmax, R"({"logits": [0, 0], "keys": [[1], [1]]})",
     "speaks of no keys; its fields are logits, temperature, normalizer"},
    {"plan_beside_logits", kSoftmax, R"({"logits": [0, 0], "plan": [["1"]]})", "speaks of no plan"},
    {"length_beside_logits", kSoftmax, R"({"logits": [0, 0], "L": 2})", "speaks of no L"},
    {"negative_bound", kBounded, R"({"logits": [0, 0], "a": "-1"})", "a must be >= 0"},
    {"no_keys", kKeys, R"({"query": [0]})", "keys: at least 2 tokens are needed, found 0"},
    {"no_query", kKeys, R"({"keys": [[0], [0]]})", "query is missing"},
    {"keys_of_another_width", kKeys, R"({"query": [0, 1], "keys": [[0], [0]]})",
     "as many coordinates as the query, 2 expected, found 1"},
    {"key_of_another_width", kKeys, R"({"query": [0, 1], "keys": [[0, 1], [0]]})",
     "keys: rows of equal length >= 1 are needed, found 2 and 1"},
    {"keys_and_logits", kKeys, R"({"query": [0], "keys": [[0], [0]], "logits": [0, 0]})",
     "speaks of no logits; its fields are query, keys, temperature, normalizer"},
    {"keys_of_another_normalizer", kKeys,
     R"({"query": [0], "keys": [[0], [0]], "normalizer": "sigmoid"})",
     "speaks of softmax, found normalizer sigmoid"},
    {"keys_at_no_temperature", kKeys, R"({"query": [0], "keys": [[0], [0]], "temperature": 0})",
     "temperature must be > 0"},
    {"random_set_without_n", kRandomSet, R"({"logits": [0, 0], "embeddings": [[0], [0]]})",
     "N is missing"},
    {"flat_without_length", kFlat, R"({"N": 1, "embeddings": [["1"]], "epsilon": 1})",
     "L must be in 2..1000000, found none"},
    {"flat_too_long", kFlat, R"({"L": 1000001, "N": 1, "embeddings": [["1"]], "epsilon": 1})",
     "found 1000001"},
    {"flat_with_two_rows", kFlat, R"({"L": 9, "N": 1, "embeddings": [[1], [1]], "epsilon": 1})",
     "found 2"},
    {"flat_at_zero", kFlat, R"({"L": 9, "N": 1, "embeddings": [[0]], "epsilon": 1})",
     "must not be zero"},
    {"flat_without_epsilon", kFlat, R"({"L": 9, "N": 1, "embeddings": [[1]]})",
     "epsilon is missing"},
    {"no_direction", kDirection, R"({"logits": [0, 0], "epsilon": 1})",
     "direction: one number a token, 2 expected, found 0"},
    {"direction_zero", kDirection, R"({"logits": [0, 0], "epsilon": 1, "direction": [0, 0]})",
     "direction must not be zero"},
    {"epsilon_zero", kDirection, R"({"logits": [0, 0], "epsilon": 0, "direction": [1, 0]})",
     "epsilon must be > 0"},
    {"other_normalizer", kStep, R"({"logits": [0, 0], "step": [1, 0]})",
     "speaks of sparsemax, found normalizer softmax"},
    {"step_too_short", kStep, R"({"logits": [0, 0], "normalizer": "sparsemax", "step": [1]})",
     "step: one number a token, 2 expected, found 1"},
    {"no_constant", "lipschitz.self_adjusted",
     R"({"logits": [0, 1], "normalizer": "self_adjusted", "step": [1, 0]})", "K is missing"},
    {"no_gain", "lipschitz.pooling", R"({"logits": [0, 1], "normalizer": "pooling"})",
     "gain is missing"},
    {"no_degree", "lipschitz.polynomial",
     R"({"logits": [0, 1], "normalizer": "polynomial", "a": 1})", "p must be in 1..64, found none"},
    {"parameter_of_another_normalizer", "lipschitz.pooling",
     R"({"logits": [0, 1], "normalizer": "pooling", "gain": 1, "p": 2})", "speaks of no p"},
    {"bound_of_zero", "lipschitz.polynomial",
     R"({"logits": [0, 0], "normalizer": "polynomial", "a": 0, "p": 2})", "a must be > 0, found 0"},
    {"temperature_beside_weights_of_a_sphere", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 3,
         "temperature": 2})",
     "speaks of no temperature"},
    {"plan_of_one", kPlan, R"({"plan": [[1]]})", "2 to 8 rows are needed, found 1"},
    {"plan_not_square", kPlan, R"({"plan": [["1/2", "1/2"], [1]]})", "rows of 2 expected, found 1"},
    {"plan_with_zero", kPlan, R"({"plan": [[1, 0], [0, 1]]})", "entries must be > 0"},
    {"plan_rows", kPlan, R"({"plan": [["1/2", "1/3"], ["1/2", "2/3"]]})",
     "every row must sum to exactly 1, found 5/6"},
    {"plan_columns", kPlan, R"({"plan": [["1/2", "1/2"], ["1/3", "2/3"]]})",
     "every column must sum to exactly 1, found 5/6"},
};

INSTANTIATE_TEST_SUITE_P(Validate, Refused, testing::ValuesIn(kRefusals),
                         [](const auto& info) { return info.param.name; });

TEST(Validate, RefusesMoreSignPatternsThanItWillAdd) {
  SphereEmbeddings input{.top_n = 39, .sphere_radius = 1, .r = 1, .dimension = 3};
  Rational total = 0;
  for (int i = 1; i <= 40; ++i) total += i;
  for (int i = 1; i <= 40; ++i) input.weights.emplace_back(i / total);
  try {
    validate(find_claim(kSphere), input);
    FAIL() << "2^39 sign patterns were taken";
  } catch (const BadInput& e) {
    EXPECT_THAT(e.what(), HasSubstr("N = 39"));
    EXPECT_THAT(e.what(), HasSubstr("sign patterns"));
  }
  input.top_n = 10;
  EXPECT_NO_THROW(validate(find_claim(kSphere), input));
  // As many equal weights are no trouble.
  input.weights.assign(1000, Rational(1, 1000));
  input.top_n = 999;
  EXPECT_NO_THROW(validate(find_claim(kSphere), input));
}

TEST(Validate, RefusesMatricesThatWouldTakeHours) {
  NormalizedRow input{.logits = std::vector<Rational>(256), .normalizer = Normalizer::sigmoid};
  EXPECT_NO_THROW(validate(find_claim(kLogits), input));
  input.logits.emplace_back(0);
  try {
    validate(find_claim(kLogits), input);
    FAIL() << "257 tokens were taken";
  } catch (const BadInput& e) {
    EXPECT_THAT(e.what(), HasSubstr("at most 256 tokens"));
    EXPECT_THAT(e.what(), HasSubstr("found 257"));
  }
  input.normalizer = Normalizer::softmax;  // the secular equation has no such limit
  EXPECT_NO_THROW(validate(find_claim(kLogits), input));
}

TEST(Validate, RefusesACaseOfAnotherKind) {
  const auto complaint = [](const char* id, const Case& input) -> std::string {
    try {
      validate(find_claim(id), input);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "taken";
  };
  EXPECT_EQ(complaint(kSoftmax, SoftmaxRow{.logits = {0, 1}}), "taken");
  EXPECT_EQ(complaint(kSoftmax, NormalizedRow{.logits = {0, 1}}),
            "case of corollary3: expected a softmax_row, found a normalized_row");
  const auto step_of = [](Normalizer normalizer) {
    return StepOf{.normalizer = normalizer, .logits = {0, 1}, .step = {1, 0}};
  };
  EXPECT_EQ(complaint(kStep, step_of(Normalizer::sparsemax)), "taken");
  EXPECT_NE(complaint(kStep, step_of(Normalizer::relu_attention)), "taken");
}

TEST(Validate, RefusesLogitsBesideWeights) {
  const TopNEmbeddings both{.logits = {0, 1},
                            .weights = test::rationals({"1/2", "1/2"}),
                            .top_n = 1,
                            .embeddings = {{1}, {2}}};
  EXPECT_THROW(validate(find_claim(kTop), both), BadInput);
}

TEST(Validate, TakesTheCataloguesOwnCases) {
  for (const Claim& claim : catalogue()) {
    if (claim.example.empty()) continue;
    EXPECT_NO_THROW(read_case(claim, nlohmann::json::parse(claim.example))) << claim.id;
  }
}

TEST(Validate, RefusesWhatWouldTakeMinutes) {
  const auto complaint = [](const char* id, const Case& input) -> std::string {
    try {
      validate(find_claim(id), input);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "taken";
  };
  const std::vector<Rational> weights(2000, Rational(1, 2000));
  const std::vector<std::vector<Rational>> ones(2000, std::vector<Rational>(16, Rational(1)));
  TopNEmbeddings top{.weights = weights, .top_n = 1000, .embeddings = ones};
  EXPECT_THAT(complaint(kTop, top), HasSubstr("N (L-N) d"));
  top.top_n = 2;
  EXPECT_EQ(complaint(kTop, top), "taken");
  EXPECT_THAT(complaint(kRandomSet,
                        RandomSetEmbeddings{.weights = weights, .top_n = 1000, .embeddings = ones}),
              HasSubstr("over all sets"));
  SphereEmbeddings sphere{.weights = weights,
                          .top_n = 1000,
                          .sphere_radius = 1,
                          .r = Rational(1, 10),
                          .delta = 0,
                          .dimension = 64};
  EXPECT_THAT(complaint(kSphere, sphere), HasSubstr("too much to sample"));
  sphere.dimension = 32;
  EXPECT_EQ(complaint(kSphere, sphere), "taken");
  TransportPlan plan;
  const Rational fine(exact(1.0) / parse_rational("1e4000"));
  plan.plan = {{Rational(1) / 2 + fine, Rational(1) / 2 - fine},
               {Rational(1) / 2 - fine, Rational(1) / 2 + fine}};
  EXPECT_THAT(complaint(kPlan, plan), HasSubstr("bits"));
}

TEST(Validate, TakesAnyDimensionWhereTheExpectationIsSampled) {
  EXPECT_NO_THROW(validate(
      find_claim(kSphere),
      test::case_of<SphereEmbeddings>(
          R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 64})")));
}

}  // namespace
}  // namespace attn
