#include "theory/attention/case_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "theory/attention/field.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/overloaded.hpp"

namespace attn {
namespace {

using nlohmann::json;

/// Claims are about sequences; a file that asks for more than this is a mistake.
constexpr std::size_t kMaxEntries = 1'000'000;

/// A value as a message shows it. An array or object is only named: it may be nested so deeply that
/// printing it would overflow the stack.
std::string shown(const json& value) {
  if (value.is_structured()) {
    return fmt::format("an {} of {} entries", value.type_name(), value.size());
  }
  return shortened(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::string place(std::string_view field) {
  return fmt::format("case field '{}'", field);
}

[[noreturn]] void refuse(std::string_view field, std::string_view expected, const json& found) {
  throw BadInput({.kind = BadInputKind::malformed,
                  .where = place(field),
                  .expected = std::string(expected),
                  .found = shown(found)});
}

void read(const json& value, std::string_view field, Rational& number) {
  if (value.is_string()) {
    try {
      number = parse_rational(value.get_ref<const std::string&>());
    } catch (const BadInput& e) {
      throw e.within(place(field));
    }
  } else if (value.is_number_unsigned()) {
    number = value.get<std::uint64_t>();
  } else if (value.is_number_integer()) {
    number = value.get<std::int64_t>();
  } else {
    refuse(field, "an exact number as a string (\"0.1\", \"1/10\") or an integer", value);
  }
}

void read(const json& value, std::string_view field, std::size_t& count) {
  if (!value.is_number_unsigned()) refuse(field, "a non-negative integer", value);
  count = value.get<std::size_t>();
}

void read(const json& value, std::string_view field, Normalizer& normalizer) {
  std::vector<std::string_view> names;
  for (const NormalizerTraits& row : normalizers()) {
    if (!row.normalizer) continue;
    if (value.is_string() && value.get_ref<const std::string&>() == row.name) {
      normalizer = *row.normalizer;
      return;
    }
    names.push_back(row.name);
  }
  refuse(field, fmt::format("one of {}", fmt::join(names, ", ")), value);
}

template <class T>
void read(const json& value, std::string_view field, std::optional<T>& number) {
  read(value, field, number.emplace());
}

template <class T>
void read(const json& value, std::string_view field, std::vector<T>& list) {
  if (!value.is_array() || value.empty() || value.size() > kMaxEntries) {
    refuse(field, "a non-empty array", value);
  }
  list.clear();
  for (const json& entry : value) read(entry, field, list.emplace_back());
}

json written(const Rational& value) {
  return to_string(value);
}

json written(std::size_t value) {
  return value;
}

template <class T>
json written(const std::optional<T>& value) {
  return value ? written(*value) : json();
}

/// Null for an empty list.
template <class T>
json written(const std::vector<T>& values) {
  json array;
  for (const T& value : values) array.push_back(written(value));
  return array;
}

/// What a field says in JSON; null where it says nothing.
json written(const Field& field, const Case& input) {
  return std::visit(Overloaded{
                        [&](const Temperature& role) {
                          return input.has_temperature() ? written(input.*role.at) : json();
                        },
                        [&](const NormalizerName& role) {
                          return input.logits.empty() ? json() : json(to_string(input.*role.at));
                        },
                        [&](const auto& role) { return written(input.*role.at); },
                    },
                    field.role);
}

void read_field(Case& output, const std::string& name, const json& value) {
  if (const Field* field = find_field(name)) {
    std::visit([&](const auto& role) { read(value, field->name, output.*role.at); }, field->role);
    return;
  }
  std::vector<std::string_view> names;
  for (const Field* field : kFields) names.push_back(field->name);
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .where = "case",
                  .expected = fmt::format("one of the fields {}", fmt::join(names, ", ")),
                  .found = in_quotes(name)});
}

}  // namespace

Case case_from_json(const json& value) {
  if (!value.is_object()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "case",
                    .expected = "an object",
                    .found = shown(value)});
  }
  Case input;
  for (const auto& [name, entry] : value.items()) read_field(input, name, entry);
  return input;
}

json to_json(const Case& input) {
  json value = json::object();
  for (const Field* field : kFields) {
    if (json entry = written(*field, input); !entry.is_null()) value[field->name] = entry;
  }
  return value;
}

}  // namespace attn
