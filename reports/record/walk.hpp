#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "reports/record/fields.hpp"
#include "reports/record/record_json.hpp"

namespace attn::report {

namespace detail {

template <class Number>
void join_number(std::optional<Number>& into, const std::optional<Number>& next,
                 std::uint64_t parts, Joined how) {
  switch (how) {
    case Joined::kept:
      return;
    case Joined::sum:
      if (next) into = into.value_or(0) + *next;
      return;
    case Joined::largest:
      if (next && !(into && (*next <= *into || std::isnan(*into)))) into = next;
      return;
    case Joined::mean:
      if (into && next) {
        *into += (*next - *into) / static_cast<Number>(parts);
      } else {
        into.reset();
      }
      return;
  }
}

}  // namespace detail

/// Joins what the next part of a run showed to what those before it did, number by number, as the
/// tables of the records say (see Joined). `parts`: their number, `next` included, which a mean
/// needs. Lists are of the same length, element by element; a map gets what it does not have.
template <class T>
void join(T& into, const T& next, std::uint64_t parts, Joined how = Joined::kept) {
  if constexpr (Recorded<T>) {
    for_each_field<T>([&](const auto& field) {
      join(into.*field.member, next.*field.member, parts, field.traits.joined);
    });
  } else if constexpr (kIsMap<T>) {
    if constexpr (Recorded<typename T::mapped_type> || std::integral<typename T::mapped_type>) {
      for (const auto& [name, value] : next) join(into[name], value, parts, how);
    }
  } else if constexpr (kIsList<T>) {
    for (std::size_t i = 0; i < into.size(); ++i) join(into[i], next.at(i), parts, how);
  } else if constexpr (kIsOptional<T>) {
    if constexpr (Recorded<typename T::value_type>) {
      if (into && next) join(*into, *next, parts);
    } else if constexpr (std::same_as<T, std::optional<double>> ||
                         std::same_as<T, std::optional<std::uint64_t>>) {
      detail::join_number(into, next, parts, how);
    }
  } else if constexpr (std::same_as<T, std::uint64_t>) {
    if (how == Joined::sum) into += next;
  }
}

/// Calls visit(value) for each value of the type within a record or a list of them, in the order of
/// report.json. Of an optional one the optional is visited, where that is the type.
template <class Wanted, class T, class Visit>
void for_each_value(T& value, const Visit& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::same_as<Plain, Wanted>) {
    visit(value);
  } else if constexpr (kIsOptional<Plain>) {
    if (value) for_each_value<Wanted>(*value, visit);
  } else if constexpr (kIsList<Plain>) {
    if constexpr (Recorded<typename Plain::value_type>) {
      for (auto& element : value) for_each_value<Wanted>(element, visit);
    }
  } else if constexpr (Recorded<Plain>) {
    for_each_field<Plain>(
        [&](const auto& field) { for_each_value<Wanted>(value.*field.member, visit); });
  }
}

}  // namespace attn::report
