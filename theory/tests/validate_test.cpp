#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theory/bad_input.hpp"
#include "theory/catalogue.hpp"
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
  const Case input = test::case_of(json);
  try {
    validate(find_claim(claim), input);
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
     "weights: at least 2 tokens are needed, found 0"},
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
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "dimension": 3})",
     "delta must be given and >= 0"},
    {"delta_negative", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": "-1/9", "dimension": 3})",
     "delta must be given and >= 0"},
    {"dimension_missing", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0})",
     "dimension must be 1 or 3, where the expectation is exact, found none"},
    {"dimension_two", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 2})",
     "found 2"},
    {"dimension_zero", kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 0})",
     "found 0"},
};

INSTANTIATE_TEST_SUITE_P(Validate, Refused, testing::ValuesIn(kRefusals),
                         [](const auto& info) { return info.param.name; });

TEST(Validate, RefusesMoreSignPatternsThanItWillAdd) {
  Case input = test::case_of(R"({"weights": ["1/2", "1/2"], "M": 1, "r": 1, "delta": 0,
                                 "dimension": 3})");
  input.weights.clear();
  Rational total = 0;
  for (int i = 1; i <= 40; ++i) total += i;
  for (int i = 1; i <= 40; ++i) input.weights.emplace_back(i / total);
  input.top_n = 39;
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
  Case input;
  input.logits.assign(1024, Rational(0));
  input.normalizer = Normalizer::sigmoid;
  EXPECT_NO_THROW(validate(find_claim(kLogits), input));
  input.logits.emplace_back(0);
  try {
    validate(find_claim(kLogits), input);
    FAIL() << "1025 tokens were taken";
  } catch (const BadInput& e) {
    EXPECT_THAT(e.what(), HasSubstr("at most 1024 tokens"));
    EXPECT_THAT(e.what(), HasSubstr("found 1025"));
  }
  input.normalizer = Normalizer::softmax;  // the secular equation has no such limit
  EXPECT_NO_THROW(validate(find_claim(kLogits), input));
}

TEST(Validate, TakesAMinimalCaseOfEveryShape) {
  EXPECT_NO_THROW(validate(find_claim(kLogits), test::case_of(R"({"logits": [0, 0]})")));
  EXPECT_NO_THROW(validate(find_claim(kSoftmax), test::case_of(R"({"logits": [0, 0]})")));
  EXPECT_NO_THROW(validate(
      find_claim(kTop), test::case_of(R"({"logits": [0, 0], "embeddings": [[0], [0]], "N": 1})")));
  EXPECT_NO_THROW(
      validate(find_claim(kSet),
               test::case_of(R"({"weights": [0, 1], "embeddings": [[0], [0]], "set": [1]})")));
  EXPECT_NO_THROW(validate(find_claim(kSphere), test::case_of(R"({"weights": [0, 1], "N": 1, "M": 1,
      "r": 1, "delta": 0, "dimension": 1})")));
}

}  // namespace
}  // namespace attn
