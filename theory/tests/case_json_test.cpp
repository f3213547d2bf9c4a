#include "theory/attention/case_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using nlohmann::json;
using enum BadInputKind;

/// The field that is malformed; none where the case itself is.
struct RefusedField {
  const char* json;
  const char* field;
  const char* expected = "";
  const char* found = "";
};

/// The case read, of a kind that does not matter here: a value that can't be read is refused before
/// a field that the kind does not have.
Case read(const json& value) {
  return case_from_json(value, InputKind::normalized_row, "a test");
}

const RefusedField kRefusedFields[] = {
    {R"(["logits"])", "", "an object", "an array"},
    {R"({"logits": [0.5, 1]})", "logits", "an exact number as a string"},
    {R"({"r": 18446744073709551616})", "r"},
    {R"({"delta": true})", "delta", "", "true"},
    {R"({"weights": ["1/0"]})", "weights", "", "'1/0'"},
    {R"({"logits": []})", "logits", "an array of 1 to 1000000 entries"},
    {R"({"logits": [["1"]]})", "logits", "", "an array of 1 entries"},
    {R"({"embeddings": ["1"]})", "embeddings"},
    {R"({"embeddings": [[]]})", "embeddings"},
    {R"({"normalizer": "relu"})", "normalizer",
     "one of softmax, sigmoid, softplus, taylor, scalable_softmax"},
    {R"({"normalizer": 1})", "normalizer"},
    {R"({"N": -1})", "N", "a non-negative integer", "-1"},
    {R"({"N": 1.0})", "N"},
    {R"({"set": []})", "set"},
};

TEST(CaseJson, SaysWhichFieldAndWhatWasExpected) {
  for (const auto& [text, field, expected, found] : kRefusedFields) {
    const std::string where = *field == '\0' ? "case" : fmt::format("case field '{}'", field);
    EXPECT_BAD_INPUT(read(json::parse(text)),
                     {.kind = malformed, .where = where, .expected = expected, .found = found})
        << text;
  }
  EXPECT_BAD_INPUT(read({{"logit", {"1"}}}), {.kind = unknown_name,
                                              .where = "case",
                                              .expected = "one of the fields logits",
                                              .found = "'logit'"});
}

TEST(CaseJson, ADeepValueIsRefusedWithoutBeingPrinted) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_BAD_INPUT(read(json::parse(deep)), {.kind = malformed, .where = "case"});
  for (const char* field : {"logits", "temperature", "normalizer", "embeddings", "N", "nonsense"}) {
    SCOPED_TRACE(field);
    const json value = json::parse(std::string("{\"") + field + "\":" + deep + "}");
    const bool known = std::string_view(field) != "nonsense";
    EXPECT_BAD_INPUT(read(value), {.kind = known ? malformed : unknown_name});
  }
}

TEST(CaseJson, ReadsDecimalsQuotientsAndIntegers) {
  const auto row = test::case_of(
      InputKind::bounded_row,
      R"({"logits": ["-0.25", 3, -4], "temperature": "1/3", "normalizer": "taylor", "a": "1/2"})");
  EXPECT_EQ(row.logits, test::rationals({"-1/4", "3", "-4"}));
  EXPECT_EQ(row.temperature, Rational(1, 3));
  EXPECT_EQ(row.normalizer, Normalizer::taylor);
  EXPECT_EQ(row.logit_bound, Rational(1, 2));
  const auto set = test::case_of(InputKind::set_embeddings, R"({"weights": ["1/4", "0.75"],
      "embeddings": [["1", 2], ["3e-1", 4]], "set": [2, 0]})");
  EXPECT_EQ(set.weights, test::rationals({"1/4", "3/4"}));
  ASSERT_EQ(set.embeddings.size(), 2U);
  EXPECT_EQ(set.embeddings[1], test::rationals({"3/10", "4"}));
  EXPECT_EQ(set.set, (std::vector<std::size_t>{2, 0}));
}

TEST(CaseJson, DefaultsAreSoftmaxAtTemperatureOne) {
  const auto row = test::case_of(InputKind::bounded_row, R"({"logits": [1, 2]})");
  EXPECT_EQ(row.temperature, 1);
  EXPECT_EQ(row.normalizer, Normalizer::softmax);
  EXPECT_FALSE(row.logit_bound.has_value());
}

TEST(CaseJson, IntegersOf64BitsAreExact) {
  const auto row = test::case_of(InputKind::softmax_row,
                                 R"({"logits": [18446744073709551615, -9223372036854775808]})");
  EXPECT_EQ(row.logits, test::rationals({"18446744073709551615", "-9223372036854775808"}));
}

}  // namespace
}  // namespace attn
