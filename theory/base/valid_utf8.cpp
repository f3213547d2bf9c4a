#include "theory/base/valid_utf8.hpp"

#include <nlohmann/json.hpp>

namespace attn {

std::string valid_utf8(std::string_view bytes) {
  using nlohmann::json;
  const std::string written = json(bytes).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(written).get<std::string>();
}

}  // namespace attn
