#include "theory/case_json.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "theory/bad_input.hpp"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::array kNormalizers = {Normalizer::softmax, Normalizer::sigmoid, Normalizer::softplus,
                                     Normalizer::taylor};

/// Claims are about sequences; a file that asks for more than this is a mistake.
constexpr std::size_t kMaxEntries = 1'000'000;

/// A value as a message shows it. An array or object is only named: it may be nested so deeply that
/// printing it would overflow the stack.
std::string shown(const json& value) {
  constexpr std::size_t kShown = 60;
  if (value.is_structured()) {
    return fmt::format("an {} of {} entries", value.type_name(), value.size());
  }
  return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, kShown);
}

[[noreturn]] void refuse(std::string_view field, std::string_view expected, const json& found) {
  throw BadInput(
      fmt::format("case field '{}': expected {}, found {}", field, expected, shown(found)));
}

Rational rational_from(const json& value, std::string_view field) {
  if (value.is_string()) {
    try {
      return parse_rational(value.get_ref<const std::string&>());
    } catch (const BadInput& e) {
      throw BadInput(fmt::format("case field '{}': {}", field, e.what()));
    }
  }
  if (value.is_number_unsigned()) return Rational(value.get<std::uint64_t>());
  if (value.is_number_integer()) return Rational(value.get<std::int64_t>());
  refuse(field, "an exact number as a string (\"0.1\", \"1/10\") or an integer", value);
}

const json& array_from(const json& value, std::string_view field) {
  if (!value.is_array() || value.empty() || value.size() > kMaxEntries) {
    refuse(field, "a non-empty array", value);
  }
  return value;
}

std::vector<Rational> rationals_from(const json& value, std::string_view field) {
  std::vector<Rational> numbers;
  for (const json& entry : array_from(value, field)) numbers.push_back(rational_from(entry, field));
  return numbers;
}

std::size_t count_from(const json& value, std::string_view field) {
  if (!value.is_number_unsigned()) refuse(field, "a non-negative integer", value);
  return value.get<std::size_t>();
}

Normalizer normalizer_from(const json& value, std::string_view field) {
  for (const Normalizer normalizer : kNormalizers) {
    if (value.is_string() && value.get_ref<const std::string&>() == to_string(normalizer)) {
      return normalizer;
    }
  }
  refuse(field, "one of softmax, sigmoid, softplus, taylor", value);
}

void read_field(Case& input, const std::string& field, const json& value) {
  if (field == "logits") {
    input.logits = rationals_from(value, field);
  } else if (field == "weights") {
    input.weights = rationals_from(value, field);
  } else if (field == "temperature") {
    input.temperature = rational_from(value, field);
  } else if (field == "normalizer") {
    input.normalizer = normalizer_from(value, field);
  } else if (field == "embeddings") {
    for (const json& row : array_from(value, field)) {
      input.embeddings.push_back(rationals_from(row, field));
    }
  } else if (field == "N") {
    input.top_n = count_from(value, field);
  } else if (field == "set") {
    for (const json& entry : array_from(value, field)) {
      input.set.push_back(count_from(entry, field));
    }
  } else if (field == "M") {
    input.sphere_radius = rational_from(value, field);
  } else if (field == "r") {
    input.r = rational_from(value, field);
  } else if (field == "delta") {
    input.delta = rational_from(value, field);
  } else if (field == "dimension") {
    input.dimension = count_from(value, field);
  } else {
    throw BadInput(
        fmt::format("case field '{}' is unknown; expected logits, temperature, normalizer, "
                    "weights, embeddings, N, set, M, r, delta or dimension",
                    field.substr(0, 40)));
  }
}

json strings(const std::vector<Rational>& values) {
  json array = json::array();
  for (const Rational& value : values) array.push_back(to_string(value));
  return array;
}

}  // namespace

Case case_from_json(const json& value) {
  if (!value.is_object()) refuse("case", "an object", value);
  Case input;
  for (const auto& [field, entry] : value.items()) read_field(input, field, entry);
  return input;
}

json to_json(const Case& input) {
  json value = json::object();
  if (!input.logits.empty()) {
    value["logits"] = strings(input.logits);
    value["temperature"] = to_string(input.temperature);
    value["normalizer"] = to_string(input.normalizer);
  }
  if (!input.weights.empty()) value["weights"] = strings(input.weights);
  for (const auto& row : input.embeddings) value["embeddings"].push_back(strings(row));
  if (input.top_n) value["N"] = *input.top_n;
  if (!input.set.empty()) value["set"] = input.set;
  if (input.sphere_radius) value["M"] = to_string(*input.sphere_radius);
  if (input.r) value["r"] = to_string(*input.r);
  if (input.delta) value["delta"] = to_string(*input.delta);
  if (input.dimension) value["dimension"] = *input.dimension;
  return value;
}

}  // namespace attn
