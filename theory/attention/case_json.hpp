#pragma once

#include <nlohmann/json_fwd.hpp>

#include "theory/attention/case.hpp"

namespace attn {

/// Reads the fields of a case, which `field.hpp` names. Numbers are strings (decimal or "p/q") or
/// JSON integers; a JSON number with a fraction is refused, since its decimal value is lost on
/// reading. Unknown fields are refused by name. Throws BadInput.
Case case_from_json(const nlohmann::json& json);

/// The inverse: every number as the shortest exact string.
nlohmann::json to_json(const Case& input);

}  // namespace attn
