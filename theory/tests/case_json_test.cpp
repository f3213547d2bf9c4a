#include "theory/attention/case_json.hpp"

#include <nlohmann/json.hpp>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using nlohmann::json;
using enum BadInputKind;

struct Refusal {
  const char* name;
  const char* json;
  BadInputParts parts;
};

class RefusedJson : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedJson, SaysWhichFieldAndWhatWasExpected) {
  const json value = json::parse(GetParam().json);
  EXPECT_BAD_INPUT(case_from_json(value), GetParam().parts) << value;
}

const Refusal kRefusals[] = {
    {"not_an_object",
     R"(["logits"])",
     {.kind = malformed, .where = "case", .expected = "an object", .found = "an array"}},
    {"null",
     "null",
     {.kind = malformed, .where = "case", .expected = "an object", .found = "null"}},
    {"fraction",
     R"({"logits": [0.5, 1]})",
     {.kind = malformed,
      .where = "case field 'logits'",
      .expected = "an exact number as a string"}},
    {"exponent_number",
     R"({"temperature": 1e3})",
     {.kind = malformed, .where = "case field 'temperature'"}},
    {"integer_beyond_64_bits",
     R"({"r": 18446744073709551616})",
     {.kind = malformed, .where = "case field 'r'"}},
    {"boolean",
     R"({"delta": true})",
     {.kind = malformed, .where = "case field 'delta'", .found = "true"}},
    {"null_number",
     R"({"M": null})",
     {.kind = malformed, .where = "case field 'M'", .found = "null"}},
    {"bad_string",
     R"({"weights": ["1/0"]})",
     {.kind = malformed, .where = "case field 'weights'", .found = "'1/0'"}},
    {"unknown_field",
     R"({"logit": ["1"]})",
     {.kind = unknown_name,
      .where = "case",
      .expected = "one of the fields logits",
      .found = "'logit'"}},
    {"case_matters", R"({"n": 1})", {.kind = unknown_name, .where = "case", .found = "'n'"}},
    {"logits_not_an_array",
     R"({"logits": "1"})",
     {.kind = malformed, .where = "case field 'logits'", .expected = "a non-empty array"}},
    {"logits_empty",
     R"({"logits": []})",
     {.kind = malformed, .where = "case field 'logits'", .expected = "a non-empty array"}},
    {"logits_nested",
     R"({"logits": [["1"]]})",
     {.kind = malformed, .where = "case field 'logits'", .found = "an array of 1 entries"}},
    {"embeddings_flat",
     R"({"embeddings": ["1"]})",
     {.kind = malformed, .where = "case field 'embeddings'"}},
    {"embeddings_empty_row",
     R"({"embeddings": [[]]})",
     {.kind = malformed, .where = "case field 'embeddings'"}},
    {"embeddings_object",
     R"({"embeddings": {"0": ["1"]}})",
     {.kind = malformed, .where = "case field 'embeddings'", .found = "an object of 1 entries"}},
    {"normalizer_unknown",
     R"({"normalizer": "relu"})",
     {.kind = malformed,
      .where = "case field 'normalizer'",
      .expected = "one of softmax, sigmoid, softplus, taylor, scalable_softmax"}},
    {"normalizer_not_a_string",
     R"({"normalizer": 1})",
     {.kind = malformed, .where = "case field 'normalizer'"}},
    {"N_negative",
     R"({"N": -1})",
     {.kind = malformed,
      .where = "case field 'N'",
      .expected = "a non-negative integer",
      .found = "-1"}},
    {"N_fraction", R"({"N": 1.0})", {.kind = malformed, .where = "case field 'N'"}},
    {"N_string", R"({"N": "1"})", {.kind = malformed, .where = "case field 'N'"}},
    {"set_negative", R"({"set": [-1]})", {.kind = malformed, .where = "case field 'set'"}},
    {"set_empty", R"({"set": []})", {.kind = malformed, .where = "case field 'set'"}},
    {"dimension_string",
     R"({"dimension": "3"})",
     {.kind = malformed, .where = "case field 'dimension'"}},
};

INSTANTIATE_TEST_SUITE_P(CaseJson, RefusedJson, testing::ValuesIn(kRefusals),
                         [](const auto& info) { return info.param.name; });

TEST(CaseJson, ADeepValueIsRefusedWithoutBeingPrinted) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_BAD_INPUT(case_from_json(json::parse(deep)), {.kind = malformed, .where = "case"});
  for (const char* field : {"logits", "temperature", "normalizer", "embeddings", "N", "nonsense"}) {
    SCOPED_TRACE(field);
    const json value = json::parse(std::string("{\"") + field + "\":" + deep + "}");
    const bool known = std::string_view(field) != "nonsense";
    EXPECT_BAD_INPUT(case_from_json(value), {.kind = known ? malformed : unknown_name});
  }
}

TEST(CaseJson, ReadsEveryField) {
  const Case input = test::case_of(R"({"logits": ["-0.25", 3, -4], "temperature": "1/3",
      "normalizer": "taylor", "weights": ["1/4", "0.75"], "embeddings": [["1", 2], ["3e-1", 4]],
      "N": 2, "set": [2, 0], "M": "3/2", "r": 1, "delta": "0.1", "dimension": 3, "a": "1/2",
      "query": [1], "keys": [[2], [3]], "epsilon": "1/7", "direction": [4], "step": [5], "L": 9,
      "K": 6, "gain": 7, "p": 8, "plan": [["1/2", "1/2"], ["1/2", "1/2"]]})");
  EXPECT_EQ(input.logits, test::rationals({"-1/4", "3", "-4"}));
  EXPECT_EQ(input.temperature, Rational(1, 3));
  EXPECT_EQ(input.normalizer, Normalizer::taylor);
  EXPECT_EQ(input.weights, test::rationals({"1/4", "3/4"}));
  ASSERT_EQ(input.embeddings.size(), 2U);
  EXPECT_EQ(input.embeddings[1], test::rationals({"3/10", "4"}));
  EXPECT_EQ(input.top_n, 2U);
  EXPECT_EQ(input.set, (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(input.sphere_radius, Rational(3, 2));
  EXPECT_EQ(input.r, 1);
  EXPECT_EQ(input.delta, Rational(1, 10));
  EXPECT_EQ(input.dimension, 3U);
  EXPECT_EQ(input.bound, Rational(1, 2));
  EXPECT_EQ(input.query, test::rationals({"1"}));
  ASSERT_EQ(input.keys.size(), 2U);
  EXPECT_EQ(input.keys[1], test::rationals({"3"}));
  EXPECT_EQ(input.epsilon, Rational(1, 7));
  EXPECT_EQ(input.direction, test::rationals({"4"}));
  EXPECT_EQ(input.step, test::rationals({"5"}));
  EXPECT_EQ(input.length, 9U);
  EXPECT_EQ(input.constant, Rational(6));
  EXPECT_EQ(input.gain, Rational(7));
  EXPECT_EQ(input.degree, 8U);
  ASSERT_EQ(input.plan.size(), 2U);
  EXPECT_EQ(input.plan[0], test::rationals({"1/2", "1/2"}));
  // What is written reads back as the same.
  EXPECT_EQ(to_json(case_from_json(to_json(input))), to_json(input));
  for (const char* field : {"a", "query", "keys", "epsilon", "direction", "step", "L", "K", "gain",
                            "p", "plan", "M", "r", "delta", "dimension", "set", "N"}) {
    EXPECT_TRUE(to_json(input).contains(field)) << field;
  }
}

TEST(CaseJson, DefaultsAreSoftmaxAtTemperatureOne) {
  const Case input = test::case_of(R"({"logits": [1, 2]})");
  EXPECT_EQ(input.temperature, 1);
  EXPECT_EQ(input.normalizer, Normalizer::softmax);
  EXPECT_FALSE(input.top_n.has_value());
  EXPECT_FALSE(input.r.has_value());
}

TEST(CaseJson, IntegersOf64BitsAreExact) {
  EXPECT_EQ(test::case_of(R"({"r": 18446744073709551615})").r,
            parse_rational("18446744073709551615"));
  EXPECT_EQ(test::case_of(R"({"r": -9223372036854775808})").r,
            parse_rational("-9223372036854775808"));
}

TEST(CaseJson, RandomCasesAreReadBackExactly) {
  test::Random random;
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    Case input;
    const std::size_t tokens = 1 + random.below(6);
    if (random.one_in(2)) {
      for (std::size_t i = 0; i < tokens; ++i) input.logits.push_back(exact(random.normal()));
      input.temperature = Rational(random.between(1, 50), 7);
      input.normalizer = static_cast<Normalizer>(random.below(13));
    } else {
      input.weights = random.weights(tokens);
    }
    if (random.one_in(2)) {
      for (std::size_t i = 0; i < tokens; ++i) {
        input.embeddings.push_back({random.decimal(5), exact(random.unit())});
      }
    }
    if (random.one_in(2)) input.top_n = random.below(tokens);
    if (random.one_in(2)) input.set = {random.below(9), 9};
    if (random.one_in(2)) {
      input.sphere_radius = random.decimal(3);
      input.r = Rational(random.between(1, 9), 9);
      input.delta = random.decimal(1);
      input.dimension = random.below(5);
    }
    const json written = to_json(input);
    const Case back = case_from_json(json::parse(written.dump()));
    EXPECT_EQ(back.logits, input.logits);
    EXPECT_EQ(back.temperature, input.temperature);
    EXPECT_EQ(back.normalizer, input.normalizer);
    EXPECT_EQ(back.weights, input.weights);
    EXPECT_EQ(back.embeddings, input.embeddings);
    EXPECT_EQ(back.top_n, input.top_n);
    EXPECT_EQ(back.set, input.set);
    EXPECT_EQ(back.sphere_radius, input.sphere_radius);
    EXPECT_EQ(back.r, input.r);
    EXPECT_EQ(back.delta, input.delta);
    EXPECT_EQ(back.dimension, input.dimension);
    EXPECT_EQ(to_json(back), written);
  }
}

}  // namespace
}  // namespace attn
