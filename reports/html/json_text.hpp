#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attn::report {

/// A plain JSON value as a reader wants it: numbers grouped or rounded, null as "-".
std::string scalar_text(const nlohmann::json& value);

/// The name of a JSON field as words: "top_n" -> "top n".
std::string field_words(std::string name);

}  // namespace attn::report
