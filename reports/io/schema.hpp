#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attn::report {

/// The JSON Schema (draft-07) of report.json, as the tables of its records say.
nlohmann::ordered_json schema_of_records();

/// The same as `report schema` prints it.
std::string schema_text();

}  // namespace attn::report
