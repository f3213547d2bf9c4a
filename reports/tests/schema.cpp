#include "reports/tests/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "reports/io/report_json.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// A schema as the validator reads it.
std::unique_ptr<valijson::Schema> parsed(const json& schema) {
  auto result = std::make_unique<valijson::Schema>();
  valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(schema), *result);
  return result;
}

std::vector<std::string> errors_of(const valijson::Schema& schema, const json& document) {
  valijson::ValidationResults results;
  valijson::Validator().validate(schema, Adapter(document), &results);
  std::vector<std::string> errors;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    errors.push_back(fmt::format("{}: {}", fmt::join(error.context, ""), error.description));
  }
  return errors;
}

/// Adds the field `path`, which `node` describes, and those below it.
void add_described(const json& node, const std::string& path, std::set<std::string>& fields) {
  if (!path.empty()) fields.insert(path);
  if (node.contains("$ref")) {
    const auto target = node["$ref"].get<std::string>().substr(1);  // without the leading #
    add_described(report_schema().at(json::json_pointer(target)), path, fields);
  }
  for (const char* const parts : {"allOf", "anyOf"}) {
    if (!node.contains(parts)) continue;
    for (const json& part : node[parts]) add_described(part, path, fields);
  }
  if (node.contains("properties")) {
    for (const auto& [name, field] : node["properties"].items()) {
      add_described(field, fmt::format("{}/{}", path, name), fields);
    }
  }
  for (const char* const each : {"items", "additionalProperties"}) {
    if (node.contains(each)) add_described(node[each], path + "/*", fields);
  }
}

void add_fields(const json& value, const std::string& path, const std::set<std::string>& described,
                std::set<std::string>& fields) {
  if (!value.is_structured()) return;
  for (const auto& [name, element] : value.items()) {
    const std::string named = fmt::format("{}/{}", path, name);
    const std::string any = path + "/*";
    const bool is_any = value.is_array() || (!described.contains(named) && described.contains(any));
    fields.insert(is_any ? any : named);
    add_fields(element, is_any ? any : named, described, fields);
  }
}

}  // namespace

const json& report_schema() {
  static const json schema = json::parse(schema_text());
  return schema;
}

std::vector<std::string> schema_errors(const json& document) {
  static const auto schema = parsed(report_schema());
  return errors_of(*schema, document);
}

std::vector<std::string> schema_errors(const json& schema, const json& document) {
  return errors_of(*parsed(schema), document);
}

std::set<std::string> described_fields() {
  std::set<std::string> fields;
  add_described(report_schema(), "", fields);
  return fields;
}

std::set<std::string> fields_of(const json& document) {
  std::set<std::string> fields;
  add_fields(document, "", described_fields(), fields);
  return fields;
}

std::set<std::string> without(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
  return rest;
}

}  // namespace attn::report
