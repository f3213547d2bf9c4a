#pragma once

#include <nlohmann/json_fwd.hpp>

namespace attn::report {

/// The JSON Schema (draft-07) of report.json, as the tables of its records say. The file
/// reports/report.schema.json has it; a test holds one against the other.
nlohmann::ordered_json schema_of_records();

}  // namespace attn::report
