#include "theory/attention/case_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/attention/normalizer.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/overloaded.hpp"

namespace attn {
namespace {

using nlohmann::json;

std::string place(std::string_view field) {
  return fmt::format("case field '{}'", field);
}

[[noreturn]] void refuse(std::string_view field, std::string_view expected, const json& found) {
  throw BadInput({.kind = BadInputKind::malformed,
                  .where = place(field),
                  .expected = std::string(expected),
                  .found = shown_json(found)});
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
  for (const NormalizerTraits& row : normalizers()) {
    if (!row.normalizer || value != row.name) continue;
    normalizer = *row.normalizer;
    return;
  }
  refuse(field, fmt::format("one of {}", fmt::join(names_of_normalizers(), ", ")), value);
}

template <class T>
void read(const json& value, std::string_view field, std::vector<T>& list) {
  if (!value.is_array() || value.empty() || value.size() > kMaxEntries) {
    refuse(field, fmt::format("an array of 1 to {} entries", kMaxEntries), value);
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
json written(const std::vector<T>& values) {
  json array;
  for (const T& value : values) array.push_back(written(value));
  return array;
}

const Field& field_called(const std::string& name) {
  if (const Field* const field = find_field(name)) return *field;
  std::vector<std::string_view> names;
  for (const Field* field : kFields) names.push_back(field->name);
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .where = "case",
                  .expected = fmt::format("one of the fields {}", fmt::join(names, ", ")),
                  .found = in_quotes(name)});
}

// Whether a value says something: what holds for every case that leaves the field out says nothing.
bool says_something(const Temperature&, const Rational& value) {
  return value != 1;
}
bool says_something(const NormalizerName&, Normalizer value) {
  return value != Normalizer::softmax;
}
template <class Other, class Value>
bool says_something(const Other&, const Value&) {
  return true;
}

/// Reads one field, into the case where its kind has it, but for a normaliser that all cases of the
/// kind share; whether it says something.
bool read_field(const json& value, const Field& field, Case& output) {
  const auto of_role = [&]<class Played>(const Played& role) {
    typename Played::Value found{};
    read(value, field.name, found);
    const bool says = says_something(role, found);
    const bool is_shared = &field == &case_field::normalizer && only_normalizer(output.kind);
    if (has_field(output.kind, field) && !is_shared)
      stored_in<Played>(output, field) = std::move(found);
    return says;
  };
  return std::visit(of_role, field.role);
}

std::string case_of(std::string_view whose) {
  return fmt::format("case of {}", whose);
}

/// What a number must be; empty of what is none: a list that is missing is an empty one, which
/// `validate` refuses.
std::string expected_number(const Role& role) {
  const auto in_range = [](const auto& count) {
    return fmt::format("an integer in {}..{}", count.range.least, count.range.most);
  };
  const Overloaded expected{
      [](const Number&) { return std::string("a number"); },
      [](const SelectedCount&) { return std::string("how many tokens are selected"); },
      [&](const TokenCount& count) { return in_range(count); },
      [&](const WholeNumber& count) { return in_range(count); },
      [](const auto&) { return std::string(); },
  };
  return std::visit(expected, role);
}

/// Throws BadInput for a field that the kind does not have or that is of logits beside weights,
/// which would be ignored in silence, and for a number that is missing. `given`: the fields that
/// say something. `whose`: in messages.
void check_names(const InputKind& kind, const std::vector<const Field*>& given,
                 std::string_view whose) {
  const auto has = [&](const Field* field) {
    return std::ranges::find(given, field) != given.end();
  };
  const auto refuse = [&](BadInputParts parts) {
    throw BadInput(std::move(parts)).within(case_of(whose));
  };
  std::vector<std::string_view> names;
  for (const FieldOfKind& row : fields_of(kind)) names.push_back(row.field->name);
  for (const Field* field : kFields) {
    if (!has(field) || has_field(kind, *field)) continue;
    refuse({.kind = BadInputKind::unknown_name,
            .expected = fmt::format("the fields {}", fmt::join(names, ", ")),
            .found = std::string(field->name)});
  }
  for (const Field* field : {&case_field::temperature, &case_field::normalizer}) {
    if (!has(field) || !has(&case_field::weights)) continue;
    refuse({.kind = BadInputKind::inconsistent,
            .where = std::string(field->name),
            .expected = "none beside weights: it is of logits",
            .found = "one"});
  }
  for (const FieldOfKind& row : fields_of(kind)) {
    const std::string expected = expected_number(row.role);
    if (row.presence != Presence::required || has(row.field) || expected.empty()) continue;
    refuse({.kind = BadInputKind::missing,
            .where = std::string(row.field->name),
            .expected = expected,
            .found = "none"});
  }
}

/// Cases of a kind with one normaliser must be of that one.
void check_normalizer(const json& value, const InputKind& kind, std::string_view whose) {
  const std::optional<Normalizer> only = only_normalizer(kind);
  if (!only) return;
  Normalizer named = Normalizer::softmax;
  const std::string_view field = case_field::normalizer.name;
  if (value.contains(field)) read(value[field], field, named);
  if (named == *only) return;
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = fmt::format("{}: {}", case_of(whose), field),
                  .expected = std::string(to_string(*only)),
                  .found = std::string(to_string(named))});
}

}  // namespace

std::vector<std::string_view> names_of_normalizers() {
  std::vector<std::string_view> names;
  for (const NormalizerTraits& row : normalizers()) {
    if (row.normalizer) names.push_back(row.name);
  }
  return names;
}

Case case_from_json(const json& value, const InputKind& kind, std::string_view whose) {
  if (!value.is_object()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "case",
                    .expected = "an object",
                    .found = shown_json(value)});
  }
  Case input{.kind = kind.name};
  std::vector<const Field*> given;
  for (const auto& [name, entry] : value.items()) {
    const Field& field = field_called(name);
    if (read_field(entry, field, input)) given.push_back(&field);
  }
  check_names(kind, given, whose);
  check_normalizer(value, kind, whose);
  return input;
}

json to_json(const Case& input, const std::set<std::string_view>& without) {
  const bool has_logits = !input.logits.empty();
  const Overloaded entry_of{
      [&](const Temperature&, const Rational& value) {
        return has_temperature(input) ? written(value) : json();
      },
      [&](const NormalizerName&, Normalizer value) {
        return has_logits ? json(to_string(value)) : json();
      },
      [](const auto&, const auto& value) { return written(value); },
  };
  json object = json::object();
  for_each_field(input, [&](const FieldOfKind& row, const auto& role, const auto& value) {
    if (without.contains(row.field->name)) return;
    if (json entry = entry_of(role, value); !entry.is_null()) {
      object[row.field->name] = std::move(entry);
    }
  });
  return object;
}

}  // namespace attn
