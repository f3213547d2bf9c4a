#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "theory/attention/normalizer.hpp"
#include "theory/claims/claim.hpp"

namespace attn {
namespace {

using nlohmann::json;

/// A longer row whose numbers are the same, but for the first, is printed by its ends.
constexpr std::size_t kLongestRow = 6;

bool is_abbreviated(const json& row) {
  return row.is_array() && row.size() > kLongestRow &&
         std::all_of(row.begin() + 1, row.end(), [&](const json& x) { return x == row.back(); });
}

std::string value_text(const json& value);

std::string row_text(const json& row) {
  if (is_abbreviated(row)) {
    const std::string last = value_text(row.back());
    return row.front() == row.back()
               ? fmt::format("({}, ..., {})", last, last)
               : fmt::format("({}, {}, ..., {})", value_text(row.front()), last, last);
  }
  std::vector<std::string> parts;
  for (const json& element : row) parts.push_back(value_text(element));
  return fmt::format("({})", fmt::join(parts, ", "));
}

std::string value_text(const json& value) {
  if (value.is_array()) return row_text(value);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Statements count tokens from 1, cases from 0.
std::string set_text(const json& set) {
  std::vector<std::size_t> tokens;
  for (const json& token : set) tokens.push_back(token.get<std::size_t>() + 1);
  return fmt::format("$I = {{{}}}$", fmt::join(tokens, ", "));
}

/// `counted`: whether the text says already how many tokens there are.
std::string field_text(const std::string& field, const json& value, bool counted) {
  if (field == "set") return set_text(value);
  if (field == "direction") return fmt::format("$v$ along ${}$", value_text(value));
  const bool one_row = field == "embeddings" && value.size() == 1;
  const std::string text = value_text(one_row ? value[0] : value);
  // An abbreviated row does not show how many tokens it has.
  const std::string tokens =
      is_abbreviated(value) && !counted ? fmt::format("$L = {}$, ", value.size()) : std::string();
  return fmt::format("{}${} = {}$", tokens, symbol_of(field), text);
}

std::string case_text(const Claim& claim) {
  json input = json::parse(claim.example);
  if (input.value("normalizer", "") ==
      traits(only_normalizer(claim.kind).value_or(Normalizer::softmax)).name)
    input.erase("normalizer");
  std::vector<std::string> fields;
  for (const auto& [field, value] : input.items()) fields.push_back(field);
  std::ranges::stable_sort(fields, {}, rank_of);
  bool counted = false;
  for (std::string& field : fields) {
    const json& value = input[field];
    field = field_text(field, value, counted);
    counted = counted || is_abbreviated(value);
  }
  return fmt::format("{}", fmt::join(fields, ", "));
}

}  // namespace

std::string argument_text(const Claim& claim) {
  if (claim.witness.lhs.empty()) return std::string(claim.argument);
  return fmt::format("{} At {} the left side is ${}$, the right side ${}$.", claim.argument,
                     case_text(claim), claim.witness.lhs, claim.witness.rhs);
}

}  // namespace attn
