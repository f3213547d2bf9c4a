#pragma once

#include <type_traits>
#include <vector>

#include "reports/record/measurements.hpp"

namespace attn::report {

namespace spreads {

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

/// See for_each_spread.
template <class T, class Visit>
void visit_all(T& value, Visit& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Plain, MaybeSpread>) {
    visit(value);
  } else if constexpr (kIsVector<Plain>) {
    for (auto& element : value) visit_all(element, visit);
  } else if constexpr (Recorded<Plain>) {
    for_each_field<Plain>([&](const auto& field) { visit_all(value.*field.member, visit); });
  }
}

}  // namespace spreads

/// Calls visit(spread) for each spread of the figures, those that are empty too, in the order of
/// report.json.
template <class SomeFigures, class Visit>
void for_each_spread(SomeFigures& figures, Visit visit) {
  spreads::visit_all(figures, visit);
}

/// Moves the numbers of each head out of what was measured: as WindowResult has them.
std::vector<std::vector<double>> take_by_head(Measurements& measured);

}  // namespace attn::report
