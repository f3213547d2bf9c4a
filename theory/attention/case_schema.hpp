#pragma once

#include <nlohmann/json_fwd.hpp>

#include "theory/attention/kind.hpp"

/// JSON Schema (draft-07) of cases, from the tables of their fields. What it refuses, reading a
/// case refuses; what several values must be together (N below L, a sum of 1) it cannot say.
namespace attn {

/// What a case of any kind may hold: a schema for each field, under its name. They refer to the
/// definitions of `exact_definitions`.
nlohmann::json case_properties();

/// The definitions of exact numbers and of lists of them.
nlohmann::json exact_definitions();

/// The schema of a case of that kind: its own fields, which of them must be there, and no other.
nlohmann::json case_schema(const InputKind& kind);

}  // namespace attn
