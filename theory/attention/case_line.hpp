#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attn {

/// A case as a person reads it, its formulas marked: "$l = (0, 0)$, $T = 1$". Softmax is not named;
/// the tokens of a set are counted from 1, as statements count them; of a long row whose numbers
/// are the same, but for the first, the ends are shown, and how many there are.
std::string case_line(const nlohmann::json& input);

}  // namespace attn
