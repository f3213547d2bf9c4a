#include <concepts>
#include <nlohmann/json.hpp>

#include "theory/attention/case_json.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/overloaded.hpp"

namespace attn {
namespace {

using nlohmann::json;

json reference(const char* definition) {
  return {{"allOf", json::array({{{"$ref", std::string("#/definitions/") + definition}}})}};
}

json natural(std::size_t least) {
  return {{"type", "integer"}, {"minimum", least}};
}

json within(const Range& range) {
  return {{"type", "integer"}, {"minimum", range.least}, {"maximum", range.most}};
}

json token_count(const TokenCount& count) {
  json schema = within(count.range);
  if (count.unit > 1) schema["multipleOf"] = count.unit;
  return schema;
}

json names_of_normalizers() {
  json names;
  for (const NormalizerTraits& row : normalizers()) {
    if (row.normalizer) names.push_back(row.name);
  }
  return names;
}

template <class Played, class Value>
concept Holds = std::same_as<typename Played::Value, Value>;

json schema_of(const Role& role) {
  const Overloaded schema{
      [](const Holds<std::vector<Rational>> auto&) { return reference("vector"); },
      [](const Holds<Case::Vectors> auto&) { return reference("rows"); },
      [](const Holds<Rational> auto&) { return reference("exact"); },
      [](const TokenCount& count) { return token_count(count); },
      [](const SelectedCount&) { return natural(1); },
      [](const SelectedSet&) {
        return json{{"type", "array"}, {"items", natural(0)}, {"minItems", 1}};
      },
      [](const Dimension& count) { return within(count.range); },
      [](const Degree& count) { return within(count.range); },
      [](const NormalizerName&) {
        return json{{"type", "string"}, {"enum", names_of_normalizers()}};
      },
  };
  return std::visit(schema, role);
}

json property_of(const Field& field) {
  json property = schema_of(field.role);
  property["description"] = field.meaning;
  return property;
}

}  // namespace

json case_properties() {
  json properties;
  for (const Field* field : kFields) properties[field->name] = property_of(*field);
  return properties;
}

json exact_definitions() {
  return {{"exact",
           {{"description",
             "An exact number: a decimal (\"-0.5\", \"1e-3\"), a quotient (\"1/3\") or an "
             "integer."},
            {"anyOf",
             {{{"type", "integer"}},
              {{"type", "string"},
               {"pattern",
                "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?[0-9]+/"
                "[+-]?[0-9]+$"}}}}}},
          {"vector",
           {{"description", "Exact numbers."},
            {"type", "array"},
            {"items", {{"$ref", "#/definitions/exact"}}},
            {"minItems", 1}}},
          {"rows",
           {{"description", "Vectors of one length each."},
            {"type", "array"},
            {"items", {{"$ref", "#/definitions/vector"}}},
            {"minItems", 1}}}};
}

json case_schema(const InputKind& kind) {
  json properties;
  json needed = json::array();
  json alternatives = json::array();
  json sets = json::array();
  const auto only = only_normalizer(kind);
  for (const auto& [field, presence, role] : fields_of(kind)) {
    properties[field->name] = property_of(*field);
    // Softmax is what is meant where no normaliser is named.
    if (field == &case_field::normalizer && only == Normalizer::softmax) continue;
    switch (presence) {
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
        break;
    }
  }
  if (only) {
    json& normalizer = properties[case_field::normalizer.name];
    normalizer["enum"] = {to_string(*only)};
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
