#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/record/record_json.hpp"

namespace attn::report {

/// A list of JSON objects as CSV (RFC 4180, lines ended by CR LF): one line a row, one column a
/// field, an object within a row spread over columns like "distance.mean". The fields that place a
/// row (tokens, length, N, temperature, layer, head, ...) come first, the others as they are met.
/// Numbers are those of the JSON, to their last digit; null and missing values are empty. Lists
/// within a row are left out. No text holds a control character, nor does one begin as a formula: a
/// ' stands before it.
std::string csv_text(const nlohmann::json& rows);

/// Records as rows, with the fields that report.json has of them. Record: a point of a figure.
template <class Record>
nlohmann::json csv_rows(const std::vector<Record>& records) {
  return nlohmann::json(json_of(records));
}

/// The rows of a list within each row: `field` of every row, each of its elements joined with the
/// plain values of its row. The two have no field in common.
nlohmann::json unfolded(const nlohmann::json& rows, const std::string& field);

}  // namespace attn::report
