#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace attn::report {

/// The JSON Schema of report.json.
const nlohmann::json& report_schema();

/// What a JSON Schema validator that knows nothing of this project has against `document`, one line
/// each with the path of the value; empty where it is a valid report.json.
std::vector<std::string> schema_errors(const nlohmann::json& document);

/// What a JSON Schema validator that knows nothing of this project has against `document` by
/// `schema`, one line each with the path of the value; empty where the document is valid.
std::vector<std::string> schema_errors(const nlohmann::json& schema,
                                       const nlohmann::json& document);

/// Paths of all fields that the schema describes: "/claims/*/digits/filter". A star stands for any
/// element of an array, or any name where names are not fixed.
std::set<std::string> described_fields();

/// Paths of all fields of `document`, in the same form. A field that the schema does not describe
/// keeps its name.
std::set<std::string> fields_of(const nlohmann::json& document);

/// The elements of `a` that are not in `b`.
std::set<std::string> without(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace attn::report
