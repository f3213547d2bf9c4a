#include "theory/attention/case_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "theory/attention/case_json.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/overloaded.hpp"

namespace attn {
namespace {

using nlohmann::json;

json reference(const char* definition) {
  return {{"$ref", std::string("#/definitions/") + definition}};
}

/// A reference beside which a description may stand.
json alone(const char* definition) {
  return {{"allOf", json::array({reference(definition)})}};
}

json list_of(const json& entry, const Range& entries) {
  return {
      {"type", "array"}, {"items", entry}, {"minItems", entries.least}, {"maxItems", entries.most}};
}

json one_a_token(const char* definition) {
  return list_of(reference(definition), {2, kMaxEntries});
}

/// The schema of a list with a number in it other than 0.
json not_zero(json list) {
  list["contains"] = reference("nonzero");
  return list;
}

json within(const Range& range) {
  return {{"type", "integer"}, {"minimum", range.least}, {"maximum", range.most}};
}

json schema_of(const Role& role) {
  const Overloaded schema{
      [](const Logits&) { return one_a_token("exact"); },
      [](const MoreLogits&) { return alone("vector"); },
      [](const Displacement&) { return not_zero(one_a_token("exact")); },
      [](const Shares&) { return one_a_token("nonnegative"); },
      [](const TokenVectors&) { return one_a_token("vector"); },
      [](const SharedVector& shared) {
        const json vector = alone("vector");
        return list_of(shared.may_be_zero ? vector : not_zero(vector), {1, 1});
      },
      [](const Coordinates&) { return alone("vector"); },
      [](const Axis&) { return not_zero(alone("vector")); },
      [](const DoublyStochastic& plan) {
        return list_of(list_of(reference("positive"), plan.rows), plan.rows);
      },
      [](const TokenCount& count) {
        json schema = within(count.range);
        if (count.unit > 1) schema["multipleOf"] = count.unit;
        return schema;
      },
      [](const SelectedCount&) {
        return within({1, kMaxEntries});
      },
      [](const SelectedSet&) {
        json set = list_of(within({0, kMaxEntries - 1}), {1, kMaxEntries - 1});
        set["uniqueItems"] = true;
        return set;
      },
      [](const WholeNumber& count) { return within(count.range); },
      [](const Number& number) {
        return alone(number.zero == Zero::refused ? "positive" : "nonnegative");
      },
      [](const Temperature&) {
        json temperature = alone("positive");
        temperature["default"] = case_field::temperature.otherwise;
        return temperature;
      },
      [](const NormalizerName&) {
        return json{{"type", "string"}, {"enum", names_of_normalizers()}};
      },
  };
  return std::visit(schema, role);
}

json property_of(const FieldOfKind& row) {
  json property = schema_of(row.role);
  property["description"] = meaning_of(row);
  return property;
}

/// The schemas that a field has in the kinds that have it, each once.
std::vector<json> schemas_of(const Field& field) {
  std::vector<json> found;
  for (int kind = 0; kind <= kLastKind; ++kind) {
    for (const FieldOfKind& row : fields_of(static_cast<InputKind::Name>(kind))) {
      if (row.field != &field) continue;
      json schema = schema_of(row.role);
      if (std::ranges::find(found, schema) == found.end()) found.push_back(std::move(schema));
    }
  }
  return found;
}

/// An exact number: of the integers that `integer` describes, and the texts that begin as
/// `condition` says, a pattern that looks ahead at an optional sign and what follows it.
json exact_kind(const char* description, const char* condition, json integer) {
  constexpr const char* kNumber =
      "(([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?0*([0-9]{1,4}|10000))?|[0-9]+/0*[1-9][0-9]*)$";
  integer["type"] = "integer";
  return {{"description", description},
          {"anyOf",
           {integer,
            {{"type", "string"},
             {"pattern", std::string("^") + condition + "[+-]?" + kNumber},
             {"maxLength", kMostCharacters}}}}};
}

}  // namespace

json case_properties() {
  json properties;
  for (const Field* field : kFields) {
    std::vector<json> schemas = schemas_of(*field);
    json property = schemas.size() == 1 ? schemas.front() : json{{"anyOf", schemas}};
    property["description"] = field->meaning;
    properties[field->name] = std::move(property);
  }
  return properties;
}

json exact_definitions() {
  json not_0 = {{"not", {{"const", 0}}}};
  return {{"exact", exact_kind("An exact number: a decimal (\"-0.5\", \"1e-3\"), a quotient "
                               "(\"1/3\") or an integer.",
                               "", json::object())},
          {"positive", exact_kind("An exact number above 0.", "(?=[^eE/]*[1-9])(?!-)",
                                  {{"exclusiveMinimum", 0}})},
          {"nonnegative", exact_kind("An exact number that is not below 0.", "(?!-[^eE/]*[1-9])",
                                     {{"minimum", 0}})},
          {"nonzero", exact_kind("An exact number other than 0.", "(?=[^eE/]*[1-9])", not_0)},
          {"vector", list_of(reference("exact"), {1, kMaxEntries})}};
}

json case_schema(const InputKind& kind) {
  json properties;
  json needed = json::array();
  json alternatives = json::array();
  json sets = json::array();
  const auto only = only_normalizer(kind);
  for (const FieldOfKind& row : fields_of(kind)) {
    const Field* const field = row.field;
    properties[field->name] = property_of(row);
    // Softmax is what is meant where no normaliser is named.
    const bool is_softmax = field == &case_field::normalizer && only == Normalizer::softmax;
    switch (is_softmax ? Presence::optional : row.presence) {
      case Presence::required:
        needed.push_back(field->name);
        break;
      case Presence::one_of:
        alternatives.push_back({{"required", {field->name}}});
        break;
      case Presence::one_of_sets:
        sets.push_back({{"required", {field->name}}});
        break;
      case Presence::optional:
      case Presence::none:
        break;
    }
    if (field != &case_field::normalizer) continue;
    if (only) properties[field->name]["enum"] = {to_string(*only)};
    if (is_softmax || row.presence == Presence::optional) {
      properties[field->name]["default"] = field->otherwise;
    }
  }
  json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", name_of(kind)},
                 {"description", meaning_of(kind)},
                 {"type", "object"},
                 {"properties", properties},
                 {"required", needed},
                 {"additionalProperties", false},
                 {"definitions", exact_definitions()}};
  if (!alternatives.empty()) schema["oneOf"] = alternatives;
  if (!sets.empty()) schema["allOf"] = {{{"oneOf", sets}}};
  return schema;
}

}  // namespace attn
