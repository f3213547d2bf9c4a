#include "theory/base/shown_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/base/one_line.hpp"

namespace attn {
namespace {

using nlohmann::json;

std::string printed(const json& value) {
  return shortened(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

}  // namespace

std::string shown_json(const json& value) {
  if (!value.is_structured()) return printed(value);
  std::string name = fmt::format("an {} of {} entries", value.type_name(), value.size());
  const auto is_structured = [](const json& part) { return part.is_structured(); };
  if (value.empty() || std::any_of(value.begin(), value.end(), is_structured)) return name;
  return fmt::format("{}, {}", name, printed(value));
}

}  // namespace attn
