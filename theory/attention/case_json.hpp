#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "theory/attention/kind.hpp"

namespace attn {

/// Reads a case of a kind, from the fields that `field.hpp` names. Numbers are strings (decimal or
/// "p/q") or JSON integers; a JSON number with a fraction is refused, since its decimal value is
/// lost on reading. Unknown fields are refused by name, and so are those of other kinds, a
/// normaliser that is not the kind's, and numbers that are missing: "case of `whose`: ...". Throws
/// BadInput. Values may lie out of range: `validate` of a claim checks them.
Case case_from_json(const nlohmann::json& json, const InputKind& kind, std::string_view whose);

/// The names of the normalisers that a case can name.
std::vector<std::string_view> names_of_normalizers();

/// What case_from_json reads as this case: every number as the shortest exact string. Left out are
/// the fields of the names in `without`.
nlohmann::json to_json(const Case& input, const std::set<std::string_view>& without = {});

}  // namespace attn
