#include "reports/html/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/text/format.hpp"

namespace attn::report {

std::string scalar_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  if (value.is_number()) return count_text(value.get<double>());
  return value.is_null() ? "-" : value.dump();
}

std::string field_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace attn::report
