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

/// One of each kind, and of each set of fields that a kind can have.
const std::vector<Kind> kKinds{NormalizedRow{},
                               SoftmaxRow{},
                               BoundedRow{},
                               RowOf{Normalizer::entmax},
                               RowOf{Normalizer::pooling},
                               RowOf{Normalizer::polynomial},
                               SoftmaxDirection{},
                               StepOf{Normalizer::sparsemax},
                               StepOf{Normalizer::self_adjusted},
                               QueryKeys{},
                               TopNEmbeddings{},
                               SetEmbeddings{},
                               RandomSetEmbeddings{},
                               EqualTokens{},
                               SphereEmbeddings{},
                               TransportPlan{}};

std::set<std::string_view> names_of(const Kind& kind) {
  std::set<std::string_view> names;
  for (const FieldOfKind& row : fields_of(kind)) names.insert(row.field->name);
  return names;
}

/// A case that says something in every field.
Case full_case() {
  return test::case_of(R"({"logits": [1, 2], "query": [1], "keys": [[1], [2]],
      "plan": [["1/2", "1/2"], ["1/2", "1/2"]], "weights": ["1/2", "1/2"],
      "embeddings": [[1], [2]], "temperature": 2, "L": 2, "N": 1, "set": [0], "dimension": 3,
      "M": 1, "r": 1, "delta": 0, "epsilon": 1, "direction": [1, 0], "step": [1, 0], "K": 1,
      "gain": 1, "p": 1, "a": 1, "normalizer": "taylor"})");
}

TEST(Field, EachIsReadWrittenAndGivenByItself) {
  const json full = to_json(full_case());
  for (const Field* field : kFields) {
    SCOPED_TRACE(field->name);
    EXPECT_EQ(find_field(field->name), field);
    EXPECT_FALSE(is_given(*field, Case()));
    ASSERT_TRUE(full.contains(field->name));
    const Case alone = case_from_json({{field->name, full[field->name]}});
    for (const Field* other : kFields) {
      EXPECT_EQ(is_given(*other, alone), other == field) << other->name;
    }
  }
  EXPECT_EQ(full.size(), kFields.size());
  EXPECT_EQ(find_field("nonsense"), nullptr);
}

TEST(Kind, EveryFieldBelongsToSomeKindAndEveryKindToSomeClaim) {
  std::set<std::string_view> used;
  for (const Kind& kind : kKinds) used.merge(names_of(kind));
  EXPECT_EQ(used.size(), kFields.size());
  std::set<std::size_t> kinds;
  for (const Claim& claim : catalogue()) kinds.insert(claim.kind.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Kind>);
}

TEST(Kind, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const Kind& kind : kKinds) names.insert(name_of(kind));
  EXPECT_EQ(names.size(), std::variant_size_v<Kind>);
}

/// A claim on a case of this kind that `validate` can be asked about.
Claim claim_of(const Kind& kind) {
  Claim claim = catalogue().front();
  claim.kind = kind;
  return claim;
}

TEST(Kind, RefusesEveryFieldOfAnother) {
  const Case full = full_case();
  for (const Kind& kind : kKinds) {
    const auto own = names_of(kind);
    for (const Field* field : kFields) {
      if (own.contains(field->name)) continue;
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::string(field->name));
      EXPECT_BAD_INPUT(
          validate(claim_of(kind), case_from_json({{field->name, to_json(full)[field->name]}})),
          {.kind = BadInputKind::unknown_name, .found = std::string(field->name)});
    }
  }
}

TEST(Kind, NoCaseIsValidWithoutWhatItNeeds) {
  for (const Claim& claim : catalogue()) {
    if (claim.example.empty()) continue;
    SCOPED_TRACE(claim.id);
    const json example = json::parse(claim.example);
    for (const auto& [field, presence] : fields_of(claim.kind)) {
      if (presence == Presence::optional || !example.contains(field->name)) continue;
      json without = example;
      without.erase(std::string(field->name));
      EXPECT_THROW(validate(claim, case_from_json(without)), BadInput) << field->name;
    }
  }
}

TEST(CaseSchema, HasTheFieldsOfTheKindAndNoOther) {
  for (const Kind& kind : kKinds) {
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
    for (const auto& [field, presence] : fields_of(kind)) {
      const json& needed = schema["required"];
      EXPECT_EQ(std::count(needed.begin(), needed.end(), field->name) == 1,
                presence == Presence::required);
    }
  }
}

TEST(CaseSchema, SaysWhichNormalizerAndWhichAlternatives) {
  EXPECT_EQ(case_schema(SoftmaxRow{})["properties"]["normalizer"]["enum"], json({"softmax"}));
  EXPECT_EQ(case_schema(RowOf{Normalizer::entmax})["properties"]["normalizer"]["enum"],
            json({"entmax"}));
  EXPECT_EQ(case_schema(NormalizedRow{})["properties"]["normalizer"]["enum"].size(), 13U);
  EXPECT_EQ(case_schema(TopNEmbeddings{})["oneOf"],
            json::parse(R"([{"required": ["logits"]}, {"required": ["weights"]}])"));
  EXPECT_FALSE(case_schema(SoftmaxRow{}).contains("oneOf"));
}

}  // namespace
}  // namespace attn
