#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "reports/io/report_json.hpp"
#include "reports/record/record_json.hpp"
#include "theory/attention/case_schema.hpp"
#include "theory/attention/field.hpp"

namespace attn::report {
namespace {

using nlohmann::ordered_json;

ordered_json reference(std::string_view definition) {
  return {{"$ref", "#/definitions/" + std::string(definition)}};
}

/// What stands beside a description: siblings of a $ref are ignored.
ordered_json with_meaning(std::string_view meaning, ordered_json kind) {
  ordered_json node = {{"description", meaning}};
  if (kind.contains("$ref")) {
    node["allOf"] = ordered_json::array({std::move(kind)});
  } else {
    node.update(kind);
  }
  return node;
}

ordered_json bounded(ordered_json kind, const Limits& limits) {
  const auto bound = [&](const char* name, const std::optional<double>& value) {
    if (value) kind[name] = number_json(*value, true);
  };
  bound("exclusiveMinimum", limits.above);
  bound("minimum", limits.least);
  bound("exclusiveMaximum", limits.below);
  bound("maximum", limits.most);
  return kind;
}

ordered_json number_kind(const Limits& limits) {
  if (!limits.any()) return reference("number");
  ordered_json number = bounded({{"type", "number"}}, limits);
  if (limits.has_lower()) return number;
  return {{"anyOf", {number, {{"type", "string"}, {"enum", {"-inf"}}}}}};
}

ordered_json count_kind(const Limits& limits, std::optional<double> most) {
  return bounded({{"type", "integer"}}, {.above = limits.above,
                                         .least = limits.least.value_or(0),
                                         .most = limits.most ? limits.most : most});
}

template <Worded Enum>
ordered_json word_kind(bool or_none) {
  ordered_json words = ordered_json::array();
  for (const Word<Enum>& each : Words<Enum>::kTable) words.push_back(each.word);
  if (or_none) words.push_back("");
  return {{"type", "string"}, {"enum", std::move(words)}};
}

ordered_json or_null(ordered_json kind) {
  return {{"anyOf", ordered_json::array({std::move(kind), {{"type", "null"}}})}};
}

/// Gathers the definitions of records as fields ask for them.
class Definitions {
 public:
  explicit Definitions(ordered_json definitions) : definitions_(std::move(definitions)) {}

  /// What the schema says of an object with the fields of the record.
  template <Recorded Record>
  ordered_json object() {
    ordered_json object = {{"description", Record::kMeaning},
                           {"type", "object"},
                           {"required", ordered_json::array()},
                           {"properties", ordered_json::object()}};
    for_each_field<Record>([&]<class Owner, class Value>(const Field<Owner, Value>& field) {
      if (field.presence == Presence::required) object["required"].push_back(field.name);
      object["properties"][std::string(field.name)] =
          with_meaning(field.meaning, kind<Value>(field.traits));
    });
    if (object["required"].empty()) object.erase("required");
    return object;
  }

  ordered_json take() { return std::move(definitions_); }

 private:
  template <class T>
  ordered_json kind(const Traits& traits) {
    if constexpr (Recorded<T>) {
      define<T>();
      return reference(T::kName);
    } else if constexpr (kIsOptional<T>) {
      using Value = typename T::value_type;
      if constexpr (Worded<Value>) {
        return word_kind<Value>(true);
      } else {
        return or_null(kind<Value>(traits));
      }
    } else if constexpr (kIsList<T>) {
      return list_kind(kind<typename T::value_type>(traits), traits);
    } else if constexpr (kIsMap<T>) {
      return {{"type", "object"}, {"additionalProperties", kind<typename T::mapped_type>(traits)}};
    } else if constexpr (Worded<T>) {
      return word_kind<T>(false);
    } else if constexpr (std::is_same_v<T, std::string>) {
      ordered_json text = {{"type", "string"}};
      if (!traits.pattern.empty()) text["pattern"] = traits.pattern;
      return text;
    } else if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, double>) {
      return number_kind(traits.limits);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      return count_kind(traits.limits, {});
    } else if constexpr (std::is_same_v<T, unsigned>) {
      return count_kind(traits.limits, std::numeric_limits<unsigned>::max());
    } else {
      static_assert(std::is_same_v<T, CaseInput>);
      return or_null(reference("case"));
    }
  }

  template <Recorded Record>
  void define() {
    const std::string name(Record::kName);
    if (definitions_.contains(name)) return;
    definitions_[name] = nullptr;  // keeps its place before those that it asks for
    definitions_[name] = object<Record>();
  }

  static ordered_json list_kind(ordered_json element, const Traits& traits) {
    ordered_json list = {{"type", "array"}, {"items", std::move(element)}};
    if (traits.elements != 0) {
      list["anyOf"] = {{{"maxItems", 0}},
                       {{"minItems", traits.elements}, {"maxItems", traits.elements}}};
    }
    return list;
  }

  ordered_json definitions_;
};

/// What may stand in the place of a list of numbers, and of a list of such lists.
constexpr const char* kReferences = R"({
  "vector_reference": {
    "description": "A list of numbers: the vector with this index among the vectors of the report.",
    "type": "object",
    "required": ["vector"],
    "properties": {"vector": {"type": "integer", "minimum": 0}},
    "additionalProperties": false
  },
  "vectors_reference": {
    "description": "A list of lists: of each [k, n] the n vectors of the report from index k on.",
    "type": "object",
    "required": ["vectors"],
    "properties": {
      "vectors": {
        "type": "array",
        "minItems": 1,
        "items": {
          "type": "array",
          "items": [{"type": "integer", "minimum": 0}, {"type": "integer", "minimum": 1}],
          "minItems": 2,
          "maxItems": 2
        }
      }
    },
    "additionalProperties": false
  }
})";

/// The fields of a case, of which a long list may be a reference.
ordered_json case_fields() {
  ordered_json properties = case_properties();
  for (const attn::Field* const field : kFields) {
    const bool is_one = std::holds_alternative<std::vector<Rational> Case::*>(field->member);
    const bool is_list = std::holds_alternative<Case::Vectors Case::*>(field->member);
    if (!is_one && !is_list) continue;
    ordered_json& property = properties[std::string(field->name)];
    ordered_json whole = property;
    whole.erase("description");
    property = {{"description", field->meaning},
                {"anyOf", ordered_json::array({whole, reference(is_one ? "vector_reference"
                                                                       : "vectors_reference")})}};
  }
  return properties;
}

/// What the definitions of records stand on.
ordered_json basic_definitions() {
  ordered_json definitions = ordered_json::parse(R"({
    "number": {
      "description": "A double. NaN and infinities, which JSON has not, are strings.",
      "anyOf": [{"type": "number"}, {"type": "string", "enum": ["nan", "inf", "-inf"]}]
    }
  })");
  definitions.update(ordered_json(exact_definitions()));
  definitions.update(ordered_json::parse(kReferences));
  definitions["case"] = {
      {"description",
       "One exact input, as `claims eval` reads it but for references. Which fields there are "
       "depends on the claim. L is the number of tokens, d the dimension."},
      {"type", "object"},
      {"properties", case_fields()}};
  return definitions;
}

/// What the tables of the records do not say: only a shard may be without claims.
ordered_json claims_unless_shard() {
  ordered_json whole = {{"type", "array"}, {"minItems", 1}};
  ordered_json shard = {
      {"type", "object"},
      {"required", ordered_json::array({"shard"})},
      {"properties", {{"shard", with_meaning("It says which.", {{"type", "object"}})}}}};
  return ordered_json::array(
      {{{"properties", {{"claims", with_meaning("A whole report has some.", std::move(whole))}}}},
       {{"properties",
         {{"provenance", with_meaning("A shard may have none.", std::move(shard))}}}}});
}

}  // namespace

std::string schema_text() {
  Definitions definitions(basic_definitions());
  ordered_json report = definitions.object<ReportFile>();
  ordered_json properties = {
      {"schema", with_meaning("The version of this contract.",
                              {{"type", "integer"}, {"const", kReportSchema}})}};
  properties.update(report["properties"]);
  ordered_json required = ordered_json::array({"schema"});
  for (const ordered_json& name : report["required"]) required.push_back(name);
  const ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                               {"title", "report.json of attention-limits, schema 1"},
                               {"description", ReportFile::kMeaning},
                               {"type", "object"},
                               {"required", std::move(required)},
                               {"properties", std::move(properties)},
                               {"anyOf", claims_unless_shard()},
                               {"definitions", definitions.take()}};
  return schema.dump(2) + "\n";
}

}  // namespace attn::report
