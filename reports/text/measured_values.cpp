#include "reports/text/measured_values.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

namespace attn::report {
namespace {

/// Which point of a figure a value belongs to: "L 32, N 5, without the first token".
struct Place {
  std::string text{};
  std::string remark{};  ///< of a flag that is set; stands last

  [[nodiscard]] std::string words() const {
    return remark.empty() ? text : fmt::format("{}, {}", text, remark);
  }
};

template <class Value>
void add_to(Place& place, std::string_view format, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    if (value) place.remark = format;
  } else if constexpr (Worded<Value>) {
    add_to(place, format, to_string(value));
  } else if constexpr (std::is_arithmetic_v<Value> ||
                       std::is_convertible_v<Value, std::string_view>) {
    if (!place.text.empty()) place.text += ", ";
    place.text += fmt::format(fmt::runtime(format), value);
  }
}

/// The place of a point that stands in `outer`.
template <Recorded Record>
Place place_of(const Record& record, Place place) {
  for_each_field<Record>([&](const auto& field) {
    if (!field.traits.place.empty()) add_to(place, field.traits.place, record.*field.member);
  });
  return place;
}

std::optional<double> number_of(double value) {
  return value;
}
std::optional<double> number_of(std::uint64_t count) {
  return static_cast<double>(count);
}
std::optional<double> number_of(const Spread& spread) {
  return spread.mean;
}
template <class Value>
requires requires(const Value& value) {
  number_of(value);
}
std::optional<double> number_of(const std::optional<Value>& value) {
  return value ? number_of(*value) : std::nullopt;
}

/// Adds the numbers of a point; then those of the points within it, each a figure of its own.
template <Recorded Record>
void add_point(std::string_view figure, const Record& point, const Place& outer,
               std::vector<MeasuredValue>& into) {
  const Place place = place_of(point, outer);
  for_each_field<Record>([&](const auto& field) {
    const std::string_view measure = field.traits.measure;
    const auto& value = point.*field.member;
    if (measure.empty()) return;
    if constexpr (requires { number_of(value); }) {
      const std::optional<double> number = number_of(value);
      if (!number && field.presence == Presence::sparse) return;
      into.push_back({fmt::format("{}: {}", figure, measure), place.words(), number});
    } else if constexpr (requires { value->fields(); }) {
      if (value) add_point(measure, *value, place, into);
    } else if constexpr (requires { value.front().fields(); }) {
      for (const auto& inner : value) add_point(measure, inner, place, into);
    } else if constexpr (requires { value.begin()->second.fields(); }) {
      for (const auto& [name, inner] : value) {
        add_point(measure, inner, {fmt::format("{}, {}", place.text, name)}, into);
      }
    }
  });
}

}  // namespace

std::vector<MeasuredValue> figure_values(const Figures& figures) {
  std::vector<MeasuredValue> values;
  for_each_field<Figures>([&](const auto& figure) {
    for (const auto& point : figures.*figure.member) {
      add_point(figure.traits.measure, point, {}, values);
    }
  });
  return values;
}

std::vector<MeasuredValue> head_values(const std::vector<HeadRecord>& heads) {
  std::vector<MeasuredValue> values;
  for (const HeadRecord& head : heads) add_point("heads", head, {}, values);
  return values;
}

}  // namespace attn::report
