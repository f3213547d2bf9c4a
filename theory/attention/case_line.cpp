#include "theory/attention/case_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "theory/attention/field.hpp"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestRow = 6;

bool is_long(const json& row) {
  return row.is_array() && row.size() > kLongestRow;
}

/// Whether the field has an entry a token, many of them, and all but the first are the same.
bool is_cut(std::string_view field, const json& row) {
  return field != "query" && field != "direction" && is_long(row) &&
         std::all_of(row.begin() + 1, row.end(), [&](const json& x) { return x == row.back(); });
}

std::string value_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const json& element : value) parts.push_back(value_text(element));
  return fmt::format("({})", fmt::join(parts, ", "));
}

std::string cut_text(const json& row) {
  const std::string first = value_text(row.front()), last = value_text(row.back());
  return fmt::format("({}, ..., {})", first == last ? last : first + ", " + last, last);
}

std::string set_text(const json& set) {
  std::vector<std::string> tokens;
  for (const json& token : set) {
    const bool is_index = token.is_number_unsigned();
    tokens.push_back(value_text(is_index ? json(token.get<std::size_t>() + 1) : token));
  }
  return fmt::format("$I = {{{}}}$", fmt::join(tokens, ", "));
}

/// A formula is never broken, so that a long list on a phone is one of many.
std::string long_row(std::string_view symbol, const json& row) {
  std::vector<std::string> parts;
  for (const json& element : row) parts.push_back(fmt::format("${}$", value_text(element)));
  return fmt::format("${}$ = ({})", symbol, fmt::join(parts, ", "));
}

/// `counted`: whether the line says already how many tokens there are.
std::string field_text(const std::string& name, const json& value, bool counted) {
  if (name == "set") return set_text(value);
  if (name == "direction") return fmt::format("$v$ along ${}$", value_text(value));
  if (name == "normalizer") return fmt::format("$F$ = {}", value_text(value));
  const Field* const field = find_field(name);
  const std::string_view symbol = field == nullptr ? name : field->symbol;
  if (is_cut(name, value)) {
    const std::string tokens = counted ? "" : fmt::format("$L = {}$, ", value.size());
    return fmt::format("{}${} = {}$", tokens, symbol, cut_text(value));
  }
  if (is_long(value)) return long_row(symbol, value);
  const bool one_row = name == "embeddings" && value.size() == 1;
  return fmt::format("${} = {}$", symbol, value_text(one_row ? value[0] : value));
}

}  // namespace

std::string case_line(const json& input) {
  std::vector<std::string> fields;
  for (const auto& [name, value] : input.items()) {
    if (name != "normalizer" || value != "softmax") fields.push_back(name);
  }
  std::ranges::stable_sort(fields, {}, [](std::string_view name) {
    return std::ranges::find(kFields, name, &Field::name);
  });
  bool counted = false;
  for (std::string& field : fields) {
    const json& value = input[field];
    const bool counts = is_cut(field, value);
    field = field_text(field, value, counted);
    counted = counted || counts;
  }
  return fmt::format("{}", fmt::join(fields, ", "));
}

}  // namespace attn
