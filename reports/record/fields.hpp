#pragma once

#include <boost/preprocessor/seq/enum.hpp>
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/seq/transform.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// A table of fields, each of a type of its own: calls visit(field) for each of them, in their
/// order. A std::tuple would do, but a compiler's work for one grows with the square of its
/// elements.
template <class... Field>
constexpr auto field_table(Field... field) {
  return [field...](auto&& visit) constexpr { (visit(field), ...); };
}

/// The fields of one table after those of another.
template <class... Table>
constexpr auto joined(Table... table) {
  return [table...](auto&& visit) constexpr { (table(visit), ...); };
}

}  // namespace attn

namespace attn::report {

// A record is a struct with a table of its fields: `kName` is what the JSON Schema calls it,
// `kMeaning` says what it is, and `fields()` lists its fields. Reading, writing, the schema, the
// columns of CSV files, the values that a diff compares and the joining of parts are derived from
// the table.

/// In the struct `Record`: its members and their table. After the record's name and meaning stands
/// (presence, type, member, meaning) for each member, its Traits behind the meaning where it has
/// some. Without a type the member is declared elsewhere: in a base, or above with a default.
#define ATTN_RECORD(Record, name, meaning, ...)                                            \
  BOOST_PP_SEQ_FOR_EACH(ATTN_DECLARE, _, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))            \
  using Self = Record;                                                                     \
  static constexpr std::string_view kName = name;                                          \
  static constexpr std::string_view kMeaning = meaning;                                    \
  static constexpr auto fields() {                                                         \
    return field_table(BOOST_PP_SEQ_ENUM(                                                  \
        BOOST_PP_SEQ_TRANSFORM(ATTN_DESCRIBE, _, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)))); \
  }
#define ATTN_DECLARE(r, data, field) ATTN_DECLARED field
#define ATTN_DECLARED(presence, Type, member, ...) ATTN_MEMBER(member, Type)
#define ATTN_MEMBER(member, ...) __VA_OPT__(__VA_ARGS__ member{};)
#define ATTN_DESCRIBE(r, data, field) ATTN_DESCRIBED field
#define ATTN_DESCRIBED(presence, Type, member, ...) presence(#member, &Self::member, __VA_ARGS__)

/// Whether report.json must have a field.
enum class Presence {
  required,   ///< must be there
  defaulted,  ///< written always; where it is left out or null, the record keeps its default
  sparse,     ///< written only where it is not empty
};

/// The numbers that a field may have. A field with a lower limit is finite.
struct Limits {
  std::string_view words{};  ///< what a message says is expected; empty: no limits
  std::optional<double> above{}, least{}, below{}, most{};

  [[nodiscard]] constexpr bool any() const { return !words.empty(); }
  [[nodiscard]] constexpr bool has_lower() const { return above || least; }
  [[nodiscard]] bool hold(double value) const {
    return (!above || value > *above) && (!least || value >= *least) &&
           (!below || value < *below) && (!most || value <= *most) &&
           (!has_lower() || std::isfinite(value));
  }
};

inline constexpr Limits kPositive{.words = "a finite number above 0", .above = 0};
inline constexpr Limits kNotNegative{.words = "a finite number, 0 or more", .least = 0};
inline constexpr Limits kFromOne{.words = "at least 1", .least = 1};
inline constexpr Limits kShare{.words = "a share between 0 and 1", .least = 0, .most = 1};

/// What becomes of a number where what several parts of a run showed is joined (see `join`).
enum class Joined {
  kept,     ///< the number of the first part
  sum,      ///< the sum over the parts that have the number
  largest,  ///< the largest number; NaN above all
  mean,     ///< the mean over the parts; none where one has none
};

/// What else there is to say of a field.
struct Traits {
  std::string_view name{};     ///< in report.json, where it is not that of the member
  Limits limits{};             ///< the limits of a number
  bool whole{};                ///< a double that holds a whole number: written without a fraction
  std::string_view pattern{};  ///< a regular expression that the schema asks of a text
  std::size_t elements{};      ///< how many elements a list has, or none; 0: any number
  bool is_setting{};           ///< two runs that differ in it are not comparable
  std::string_view measure{};  ///< what a diff calls it; empty: not compared
  Joined joined{};
};

/// A count that a diff calls so, and that adds up over the parts of a run.
constexpr Traits counted(std::string_view measure) {
  return {.measure = measure, .joined = Joined::sum};
}

inline constexpr Traits kSum{.joined = Joined::sum};
inline constexpr Traits kLargest{.joined = Joined::largest};
inline constexpr Traits kMean{.joined = Joined::mean};

template <class Record, class Value>
struct Field {
  std::string_view name;  ///< in report.json
  Value Record::*member;
  std::string_view meaning;  ///< a sentence with the unit
  Presence presence;
  Traits traits;
};

/// Makes a field of a table.
template <Presence kPresence>
struct MakeField {
  template <class Record, class Value>
  constexpr Field<Record, Value> operator()(std::string_view name, Value Record::*member,
                                            std::string_view meaning, Traits traits = {}) const {
    return {traits.name.empty() ? name : traits.name, member, meaning, kPresence, traits};
  }
};
inline constexpr MakeField<Presence::required> required;
inline constexpr MakeField<Presence::defaulted> defaulted;
inline constexpr MakeField<Presence::sparse> sparse;

template <class T>
using ByName = std::map<std::string, T>;

/// A struct with a table of its fields.
template <class T>
concept Recorded = requires {
  { T::kName } -> std::convertible_to<std::string_view>;
  { T::kMeaning } -> std::convertible_to<std::string_view>;
  T::fields();
};

/// Calls visit(field) for each field of the record, in the order of its table.
template <Recorded Record, class Visit>
void for_each_field(Visit&& visit) {
  Record::fields()(visit);
}

}  // namespace attn::report
