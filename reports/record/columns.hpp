#pragma once

#include <compare>
#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/measurements.hpp"
#include "reports/record/record_json.hpp"

/// The numbers of the heads, as a table with a column for each measure at each of its points. Who
/// gathers them, and who joins windows, finds a column by its name.
namespace attn::report {

/// What a column is of.
struct ColumnName {
  std::string measure;  ///< as report.json names it: "separability.share"
  std::string point;    ///< "L 64, N 5, without the first token"; empty of what has one point

  auto operator<=>(const ColumnName&) const = default;
};

/// A value for each column.
template <class Value>
using ByColumn = std::map<ColumnName, Value>;

// Which point of its figure a point is, in words: no two of a figure have the same.
std::string point_of(const DistancePoint& point);
std::string point_of(const CriticalPoint& point);
std::string point_of(const SeparabilityPoint& point);
std::string point_of(const DirectionPoint& point);
std::string point_of(const StepPoint& point);
std::string point_of(const GradientPoint& point);
std::string point_of(const SinkPoint& point);
std::string point_of(const HeldPoint& point);
std::string point_of(const NormalizerPoint& point);
std::string point_of(const MassPoint& point);

namespace detail {

template <class AnyPoint, class Visit>
void visit_columns(AnyPoint& point, const std::string& figure, const std::string& at,
                   const Visit& visit) {
  for_each_field<std::remove_const_t<AnyPoint>>([&](const auto& field) {
    auto& value = point.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    const auto name = [&] { return figure + "." + std::string(field.name); };
    if constexpr (std::same_as<Value, MaybeSpread>) {
      visit(ColumnName{name(), at}, value);
    } else if constexpr (kIsList<Value>) {
      if constexpr (Recorded<typename Value::value_type>) {
        for (auto& inner : value) visit_columns(inner, name(), at + ", " + point_of(inner), visit);
      }
    }
  });
}

}  // namespace detail

/// Calls visit(name, spread) for each spread of the figures, which may be const, in the order of
/// report.json.
template <class AnyFigures, class Visit>
void for_each_column(AnyFigures& figures, const Visit& visit) {
  for_each_field<Figures>([&](const auto& figure) {
    for (auto& point : figures.*figure.member) {
      detail::visit_columns(point, std::string(figure.name), point_of(point), visit);
    }
  });
}

/// The name of a critical N.
inline ColumnName name_of(const CriticalPoint& point) {
  return {"critical_n.n", point_of(point)};
}

/// Calls visit(name, n) for each critical N of the figures, which may be const: those of the points
/// of `critical_n`, then two of each normaliser's point.
template <class AnyFigures, class Visit>
void for_each_critical_n(AnyFigures& figures, const Visit& visit) {
  for (auto& point : figures.critical_n) {
    visit(name_of(point), point.n);
  }
  for (auto& point : figures.normalizers) {
    visit(ColumnName{"normalizers.critical_n_full", point_of(point)}, point.critical_n_full);
    visit(ColumnName{"normalizers.critical_n_factor", point_of(point)}, point.critical_n_factor);
  }
}

}  // namespace attn::report
