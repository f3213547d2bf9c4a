#include "theory/attention/case_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "theory/attention/normalizer.hpp"
#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

using nlohmann::json;

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
  std::vector<std::string_view> names;
  for (const NormalizerTraits& row : normalizers()) {
    if (!row.normalizer) continue;
    if (value.is_string() && value.get_ref<const std::string&>() == row.name) {
      return *row.normalizer;
    }
    names.push_back(row.name);
  }
  refuse(field, fmt::format("one of {}", fmt::join(names, ", ")), value);
}

std::vector<std::vector<Rational>> rows_from(const json& value, std::string_view field) {
  std::vector<std::vector<Rational>> rows;
  for (const json& row : array_from(value, field)) rows.push_back(rationals_from(row, field));
  return rows;
}

std::vector<std::size_t> counts_from(const json& value, std::string_view field) {
  std::vector<std::size_t> counts;
  for (const json& entry : array_from(value, field)) counts.push_back(count_from(entry, field));
  return counts;
}

/// How one field of a case is read and written; written is null where the field is empty.
struct Field {
  std::string_view name;
  void (*read)(Case&, const json&, std::string_view name);
  json (*written)(const Case&);
};

json strings(const std::vector<Rational>& values) {
  json array = json::array();
  for (const Rational& value : values) array.push_back(to_string(value));
  return array;
}

template <auto Member>
constexpr Field number(std::string_view name) {
  return {name, [](Case& c, const json& v, std::string_view n) { c.*Member = rational_from(v, n); },
          [](const Case& c) { return c.*Member ? json(to_string(*(c.*Member))) : json(); }};
}

template <auto Member>
constexpr Field count(std::string_view name) {
  return {name, [](Case& c, const json& v, std::string_view n) { c.*Member = count_from(v, n); },
          [](const Case& c) { return c.*Member ? json(*(c.*Member)) : json(); }};
}

template <auto Member>
constexpr Field vector(std::string_view name) {
  return {name,
          [](Case& c, const json& v, std::string_view n) { c.*Member = rationals_from(v, n); },
          [](const Case& c) { return (c.*Member).empty() ? json() : strings(c.*Member); }};
}

template <auto Member>
constexpr Field rows(std::string_view name) {
  return {name, [](Case& c, const json& v, std::string_view n) { c.*Member = rows_from(v, n); },
          [](const Case& c) {
            json array;
            for (const auto& row : c.*Member) array.push_back(strings(row));
            return array;
          }};
}

/// A temperature stands beside what it divides; beside weights it would say nothing.
bool has_temperature(const Case& c) {
  return !c.logits.empty() || !c.keys.empty() || !c.plan.empty();
}

const Field kFields[] = {
    vector<&Case::logits>("logits"),
    vector<&Case::query>("query"),
    rows<&Case::keys>("keys"),
    rows<&Case::plan>("plan"),
    {"temperature",
     [](Case& c, const json& v, std::string_view n) { c.temperature = rational_from(v, n); },
     [](const Case& c) { return has_temperature(c) ? json(to_string(c.temperature)) : json(); }},
    {"normalizer",
     [](Case& c, const json& v, std::string_view n) { c.normalizer = normalizer_from(v, n); },
     [](const Case& c) { return c.logits.empty() ? json() : json(to_string(c.normalizer)); }},
    vector<&Case::weights>("weights"),
    rows<&Case::embeddings>("embeddings"),
    count<&Case::length>("L"),
    count<&Case::top_n>("N"),
    {"set", [](Case& c, const json& v, std::string_view n) { c.set = counts_from(v, n); },
     [](const Case& c) { return c.set.empty() ? json() : json(c.set); }},
    number<&Case::sphere_radius>("M"),
    number<&Case::r>("r"),
    number<&Case::delta>("delta"),
    count<&Case::dimension>("dimension"),
    number<&Case::bound>("a"),
    number<&Case::epsilon>("epsilon"),
    vector<&Case::direction>("direction"),
    vector<&Case::step>("step"),
    number<&Case::constant>("K"),
    number<&Case::gain>("gain"),
    count<&Case::degree>("p"),
};

void read_field(Case& input, const std::string& name, const json& value) {
  const auto found = std::ranges::find(kFields, name, &Field::name);
  if (found != std::end(kFields)) {
    found->read(input, value, found->name);
    return;
  }
  std::vector<std::string_view> names;
  for (const Field& field : kFields) names.push_back(field.name);
  throw BadInput(fmt::format("case field '{}' is unknown; expected one of {}", name.substr(0, 40),
                             fmt::join(names, ", ")));
}

}  // namespace

Case case_from_json(const json& value) {
  if (!value.is_object()) refuse("case", "an object", value);
  Case input;
  for (const auto& [name, entry] : value.items()) read_field(input, name, entry);
  return input;
}

json to_json(const Case& input) {
  json value = json::object();
  for (const Field& field : kFields) {
    if (json written = field.written(input); !written.is_null()) value[field.name] = written;
  }
  return value;
}

}  // namespace attn
