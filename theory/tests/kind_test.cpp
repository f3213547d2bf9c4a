// The tables of fields and of kinds, and the schema that follows from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "theory/attention/case_json.hpp"
#include "theory/attention/case_schema.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// One of each kind.
const std::vector<InputKind> kKinds{NormalizedRow{},
                                    SoftmaxRow{},
                                    TwoTemperatureLogits{},
                                    BoundedRow{},
                                    FixedNormalizerLogits{Normalizer::entmax},
                                    PoolingRow{},
                                    PolynomialRow{},
                                    SoftmaxDirection{},
                                    SoftmaxSteps{},
                                    FixedNormalizerStep{Normalizer::sparsemax},
                                    StepWithin{Normalizer::self_adjusted},
                                    QueryKeys{},
                                    QueryKey{},
                                    SelfAttention{},
                                    WeightedEmbeddings{},
                                    PoolingEmbeddings{},
                                    SinkEmbeddings{},
                                    TopNEmbeddings{},
                                    SetEmbeddings{},
                                    RandomSetEmbeddings{},
                                    EqualTokens{},
                                    TwoLevelTokens{},
                                    SphereEmbeddings{},
                                    TransportPlan{}};

std::set<std::string_view> names_of(const InputKind& kind) {
  std::set<std::string_view> names;
  for (const FieldOfKind& row : fields_of(kind)) names.insert(row.field->name);
  return names;
}

/// Something in every field.
json every_field() {
  return json::parse(R"({"logits": ["1", "2"], "query": ["1"], "keys": [["1"], ["2"]],
      "plan": [["0.5", "0.5"], ["0.5", "0.5"]], "weights": ["0.5", "0.5"],
      "embeddings": [["1"], ["2"]], "temperature": "2", "colder": "1", "L": 2, "length": 2,
      "spread": "1", "N": 1, "set": [0], "dimension": 3, "M": "1", "r": "1", "delta": "0",
      "epsilon": "1", "larger_epsilon": "2", "direction": ["1", "0"], "constant": "1",
      "step": ["1", "0"], "K": "1", "gain": "1", "p": 1, "a": "1", "normalizer": "taylor"})");
}

/// The fields of the kind alone; of fields that stand in for each other the first.
json full_json(const InputKind& kind) {
  json full = json::object();
  bool has_one = false;
  for (const auto& [field, presence, role, is_same] : fields_of(kind)) {
    if (presence == Presence::one_of && has_one) continue;
    has_one = has_one || presence == Presence::one_of;
    full[field->name] = every_field().at(std::string(field->name));
  }
  if (const auto only = only_normalizer(kind)) {
    full.erase(std::string(case_field::normalizer.name));
    if (*only != Normalizer::softmax) full[case_field::normalizer.name] = to_string(*only);
  }
  return full;
}

TEST(Field, EachIsFoundByItsName) {
  for (const Field* field : kFields) EXPECT_EQ(find_field(field->name), field);
  EXPECT_EQ(find_field("nonsense"), nullptr);
  EXPECT_EQ(every_field().size(), kFields.size());
}

TEST(InputKind, HoldsItsFieldsAsTheyAreWritten) {
  for (const InputKind& kind : kKinds) {
    SCOPED_TRACE(name_of(kind));
    json full = full_json(kind);
    const Case input = case_from_json(full, kind, "a test");
    EXPECT_TRUE(same_kind(input, kind));
    EXPECT_NE(input, kind);
    EXPECT_EQ(tokens_of(input), 2U);
    // The normaliser of softmax's kinds is written where there are logits.
    if (full.contains("logits") && !full.contains("normalizer")) full["normalizer"] = "softmax";
    EXPECT_EQ(to_json(input), full);
  }
}

/// What a walk over the fields of a case sees, by name.
std::set<std::string_view> walked(const Case& input) {
  std::set<std::string_view> names;
  for_each_field(input, [&](const FieldOfKind& row, const auto&, const auto&) {
    names.insert(row.field->name);
  });
  return names;
}

TEST(InputKind, WalksSeeEveryFieldOfTheKindAndAnOptionalNumberWhereItIsGiven) {
  for (const InputKind& kind : kKinds) {
    EXPECT_EQ(walked(case_from_json(full_json(kind), kind, "a test")), names_of(kind));
  }
  EXPECT_TRUE(walked(BoundedRow{.bound = 1}).contains("a"));
  EXPECT_FALSE(walked(BoundedRow{}).contains("a"));
  const Case without = BoundedRow{};
  EXPECT_EQ(find_value<case_field::bound>(without), nullptr);
}

TEST(InputKind, AValueThatACaseHoldsItselfCanBeChanged) {
  Case row = BoundedRow{.logits = {0, 1}, .bound = 1};
  *own_value<case_field::bound>(row) = 2;
  *own_value<case_field::normalizer>(row) = Normalizer::sigmoid;
  EXPECT_EQ(row, Case(BoundedRow{.logits = {0, 1}, .normalizer = Normalizer::sigmoid, .bound = 2}));
  Case without = BoundedRow{.logits = {0, 1}};
  EXPECT_EQ(own_value<case_field::bound>(without), nullptr);
  EXPECT_EQ(without, Case(BoundedRow{.logits = {0, 1}}));
  Case of_softmax = SoftmaxRow{.logits = {0, 1}};
  EXPECT_EQ(own_value<case_field::normalizer>(of_softmax), nullptr);
  EXPECT_EQ(own_value<case_field::epsilon>(of_softmax), nullptr);
}

TEST(InputKind, AFieldThatItDoesNotHaveIsALogicErrorThatNamesBoth) {
  const Case row = SoftmaxRow{.logits = {0, 1}};
  EXPECT_EQ(value_of<case_field::logits>(row), test::rationals({"0", "1"}));
  EXPECT_EQ(find_value<case_field::epsilon>(row), nullptr);
  try {
    value_of<case_field::epsilon>(row);
    FAIL() << "a step of a row";
  } catch (const std::logic_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("softmax_row"));
    EXPECT_THAT(e.what(), HasSubstr("epsilon"));
  }
}

TEST(InputKind, EveryFieldBelongsToSomeKindAndEveryKindToSomeClaim) {
  std::set<std::string_view> used;
  for (const InputKind& kind : kKinds) used.merge(names_of(kind));
  EXPECT_EQ(used.size(), kFields.size());
  std::set<std::size_t> kinds;
  for (const Claim& claim : catalogue()) kinds.insert(claim.kind.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<detail::OneOfTheKinds>);
}

TEST(InputKind, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const InputKind& kind : kKinds) names.insert(name_of(kind));
  EXPECT_EQ(names.size(), std::variant_size_v<detail::OneOfTheKinds>);
}

TEST(InputKind, RefusesEveryFieldOfAnother) {
  for (const InputKind& kind : kKinds) {
    const auto own = names_of(kind);
    for (const Field* field : kFields) {
      if (own.contains(field->name)) continue;
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::string(field->name));
      const json alone = {{field->name, every_field()[field->name]}};
      EXPECT_BAD_INPUT(case_from_json(alone, kind, "a test"), {.kind = BadInputKind::unknown_name,
                                                               .where = "case of a test",
                                                               .found = std::string(field->name)});
    }
  }
}

/// What holds for a case that leaves the field out may be said of any kind.
TEST(InputKind, TakesADefaultThatItDoesNotHave) {
  json sphere = full_json(SphereEmbeddings{});
  sphere["temperature"] = 1;
  sphere["normalizer"] = "softmax";
  EXPECT_NO_THROW(case_from_json(sphere, SphereEmbeddings{}, "a test"));
}

TEST(InputKind, NoCaseIsValidWithoutWhatItNeeds) {
  for (const Claim& claim : catalogue()) {
    if (claim.example.empty()) continue;
    SCOPED_TRACE(claim.id);
    const json example = json::parse(claim.example);
    for (const auto& [field, presence, role, is_same] : fields_of(claim.kind)) {
      if (presence == Presence::optional || !example.contains(field->name)) continue;
      json without = example;
      without.erase(std::string(field->name));
      EXPECT_THROW(read_case(claim, without), BadInput) << field->name;
    }
  }
}

TEST(CaseSchema, HasTheFieldsOfTheKindAndNoOther) {
  for (const InputKind& kind : kKinds) {
    const json schema = case_schema(kind);
    SCOPED_TRACE(schema["title"]);
    std::set<std::string_view> described;
    for (const auto& [name, property] : schema["properties"].items()) {
      described.insert(find_field(name)->name);
      json general = case_properties()[name];
      if (name == "normalizer") general["enum"] = property["enum"];
      EXPECT_EQ(property, general);
    }
    EXPECT_EQ(described, names_of(kind));
    EXPECT_EQ(schema["additionalProperties"], false);
    for (const auto& [field, presence, role, is_same] : fields_of(kind)) {
      const json& needed = schema["required"];
      EXPECT_EQ(std::count(needed.begin(), needed.end(), field->name) == 1,
                presence == Presence::required);
    }
  }
}

/// As many tokens as the first field that says so has, whatever the other fields hold.
TEST(InputKind, KnowsHowManyTokensACaseHas) {
  EXPECT_EQ(tokens_of(SoftmaxRow{.logits = {1, 2, 3}}), 3U);
  EXPECT_EQ(tokens_of(WeightedEmbeddings{.weights = {1, 0}}), 2U);
  EXPECT_EQ(tokens_of(QueryKeys{.query = {1}, .keys = {{1}, {2}, {3}}}), 3U);
  EXPECT_EQ(tokens_of(QueryKey{.query = {1, 2, 3}, .keys = {{1, 2, 3}}}), 1U);
  EXPECT_EQ(tokens_of(EqualTokens{.length = 7, .embeddings = {{1}}}), 7U);
  EXPECT_EQ(tokens_of(TwoLevelTokens{.length = 8}), 8U);
  EXPECT_EQ(tokens_of(SphereEmbeddings{.dimension = 3}), 0U);
}

TEST(CaseSchema, SaysThatALengthIsEvenAndThatSoftmaxNeedsNoName) {
  EXPECT_EQ(case_schema(TwoLevelTokens{})["properties"]["length"]["multipleOf"], 2);
  EXPECT_FALSE(case_schema(EqualTokens{})["properties"]["L"].contains("multipleOf"));
  EXPECT_EQ(case_schema(FixedNormalizerStep{Normalizer::softmax})["required"],
            json({"logits", "step"}));
  EXPECT_EQ(case_schema(FixedNormalizerStep{Normalizer::sparsemax})["required"],
            json({"logits", "normalizer", "step"}));
}

TEST(CaseSchema, SaysWhichNormalizerAndWhichAlternatives) {
  EXPECT_EQ(case_schema(SoftmaxRow{})["properties"]["normalizer"]["enum"], json({"softmax"}));
  EXPECT_EQ(
      case_schema(FixedNormalizerLogits{Normalizer::entmax})["properties"]["normalizer"]["enum"],
      json({"entmax"}));
  EXPECT_EQ(case_schema(NormalizedRow{})["properties"]["normalizer"]["enum"].size(), 13U);
  EXPECT_EQ(case_schema(TopNEmbeddings{})["oneOf"],
            json::parse(R"([{"required": ["logits"]}, {"required": ["weights"]}])"));
  EXPECT_FALSE(case_schema(SoftmaxRow{}).contains("oneOf"));
}

}  // namespace
}  // namespace attn
