#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/record/case_input.hpp"
#include "reports/record/fields.hpp"
#include "reports/record/words.hpp"
#include "theory/base/bad_input.hpp"

// JSON of records, derived from their tables of fields: out, and in again.
namespace attn::report {

/// A place in a JSON document that knows its path. Every accessor throws BadInput with the path,
/// what was expected and what was found, where the value is not as asked for.
class Reader {
 public:
  explicit Reader(const nlohmann::json& value, std::string path = {})
      : value_(&value), path_(std::move(path)) {}

  /// The member called `field`, which must be there.
  [[nodiscard]] Reader at(const std::string& field) const;

  /// Whether there is a member `field` that is not null.
  [[nodiscard]] bool has(const std::string& field) const;

  [[nodiscard]] bool is_null() const { return value_->is_null(); }

  [[nodiscard]] std::vector<Reader> elements() const;
  [[nodiscard]] std::vector<std::pair<std::string, Reader>> members() const;
  const nlohmann::json& object() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool boolean() const;
  std::uint64_t count() const;  ///< an integer in [0, 2^64)
  double number() const;        ///< a number, or "nan", "inf", "-inf"

  [[noreturn]] void refuse(BadInputKind kind, std::string_view expected,
                           std::string_view found) const;
  /// found: the value, shortened
  [[noreturn]] void refuse(BadInputKind kind, std::string_view expected) const;

 private:
  const nlohmann::json* value_;
  std::string path_;
};

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T, class Less>
inline constexpr bool kIsMap<std::map<std::string, T, Less>> = true;

/// Whether a sparse field is left out.
template <class T>
bool is_empty(const T& value) {
  if constexpr (kIsOptional<T>) {
    return !value;
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return false;
  }
}

/// A double as JSON, which has no NaN and no infinities: these become "nan", "inf" and "-inf".
nlohmann::ordered_json number_json(double value, bool whole);

/// Sets a member of an object. Compiled once: a record has many.
void set_member(nlohmann::ordered_json& object, std::string_view name,
                nlohmann::ordered_json value);

/// A record as an object with the fields of its table, in their order; a list or map of records as
/// an array or object of these.
template <class T>
nlohmann::ordered_json json_of(const T& value, bool whole = false) {
  using nlohmann::ordered_json;
  if constexpr (Recorded<T>) {
    ordered_json object = ordered_json::object();
    std::size_t fields = 0;
    for_each_field<T>([&](const auto&) { ++fields; });
    object.get_ref<ordered_json::object_t&>().reserve(fields);  // an object that grows is copied
    for_each_field<T>([&](const auto& field) {
      const auto& member = value.*field.member;
      if (field.presence == Presence::sparse && is_empty(member)) return;
      set_member(object, field.name, json_of(member, field.traits.whole));
    });
    return object;
  } else if constexpr (kIsOptional<T>) {
    if (value) return json_of(*value, whole);
    if constexpr (Worded<typename T::value_type>) return "";
    return nullptr;
  } else if constexpr (kIsList<T>) {
    ordered_json array = ordered_json::array();
    for (const auto& element : value) array.push_back(json_of(element, whole));
    return array;
  } else if constexpr (kIsMap<T>) {
    ordered_json object = ordered_json::object();
    for (const auto& [name, element] : value) object[name] = json_of(element, whole);
    return object;
  } else if constexpr (Worded<T>) {
    return to_string(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return number_json(value, whole);
  } else if constexpr (std::is_same_v<T, CaseInput>) {
    return value.whole();
  } else {
    return value;
  }
}

/// Refuses a number outside its limits.
void check_limits(double value, const Limits& limits, const Reader& in);

/// The elements of an array, of which there are as many as the traits say.
std::vector<Reader> elements_of(const Reader& in, const Traits& traits);

/// Reads what json_of writes. Throws BadInput with the path of the first value that is missing, of
/// a wrong kind or out of its limits. Fields that are not in the table are ignored.
template <class T>
void read(const Reader& in, T& value, const Traits& traits = {}) {
  if constexpr (Recorded<T>) {
    in.object();
    for_each_field<T>([&](const auto& field) {
      const std::string name(field.name);
      if (field.presence != Presence::required && !in.has(name)) return;
      read(in.at(name), value.*field.member, field.traits);
    });
  } else if constexpr (kIsOptional<T>) {
    if constexpr (Worded<typename T::value_type>) {
      if (in.text().empty()) return;
    }
    read(in, value.emplace(), traits);
  } else if constexpr (kIsList<T>) {
    for (const Reader& element : elements_of(in, traits)) {
      read(element, value.emplace_back(), traits);
    }
  } else if constexpr (kIsMap<T>) {
    for (const auto& [name, member] : in.members()) read(member, value[name], traits);
  } else if constexpr (Worded<T>) {
    const auto known = known_word(Words<T>::kTable, in.text());
    if (!known) in.refuse(BadInputKind::unknown_name, "one of " + listed(Words<T>::kTable));
    value = *known;
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = in.text();
  } else if constexpr (std::is_same_v<T, bool>) {
    value = in.boolean();
  } else if constexpr (std::is_same_v<T, double>) {
    value = in.number();
    check_limits(value, traits.limits, in);
  } else if constexpr (std::unsigned_integral<T>) {
    const std::uint64_t count = in.count();
    check_limits(static_cast<double>(count), traits.limits, in);
    if (!std::in_range<T>(count)) in.refuse(BadInputKind::out_of_range, "an integer below 2^32");
    value = static_cast<T>(count);
  } else {
    static_assert(std::is_same_v<T, nlohmann::json> || std::is_same_v<T, CaseInput>);
    value = in.is_null() ? nlohmann::json() : in.object();
  }
}

}  // namespace attn::report
