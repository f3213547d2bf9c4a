#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attn {

/// A JSON value as a message shows it: in ASCII, shortened. An array or object is named with its
/// size; where it holds others its content is left out, since it may be nested so deeply that
/// printing it would overflow the stack.
std::string shown_json(const nlohmann::json& value);

}  // namespace attn
