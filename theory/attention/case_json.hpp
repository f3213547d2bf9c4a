#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "theory/attention/kind.hpp"

namespace attn {

/// Reads a case of a kind, from the fields that `field.hpp` names. Numbers are strings (decimal or
/// "p/q") or JSON integers; a JSON number with a fraction is refused, since its decimal value is
/// lost on reading. Unknown fields are refused by name, and so are those of other kinds, a
/// normaliser that is not the kind's, and numbers that are missing: "case of `whose`: ...". Throws
/// BadInput. Values may lie out of range: `validate` of a claim checks them.
Case case_from_json(const nlohmann::json& json, const InputKind& kind, std::string_view whose);

/// The inverse: every number as the shortest exact string.
nlohmann::json to_json(const Case& input);

// JSON Schema (draft-07) of cases, from the tables of their fields.

/// What a case of any kind may hold: a schema for each field, under its name. They refer to
/// `exact`, `vector` and `rows` of `exact_definitions`.
nlohmann::json case_properties();

/// The definitions of exact numbers and of lists of them.
nlohmann::json exact_definitions();

/// The schema of a case of that kind: its own fields, which of them must be there, and no other.
nlohmann::json case_schema(const InputKind& kind);

}  // namespace attn
