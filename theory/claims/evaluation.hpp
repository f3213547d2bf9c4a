#pragma once

#include <string_view>

#include "theory/number/error_double.hpp"
#include "theory/number/interval.hpp"

namespace attn {

class Problem;

/// Both sides of a claim `lhs <= rhs`, at one precision.
template <class S>
struct Sides {
  S lhs{};
  S rhs{};
};

/// A quantity on the way to the two sides, under the name that the statement gives it.
struct Step {
  std::string_view name;
  Interval<50> value;
};

/// The same templated code at every level: the double filter, then intervals.
struct Evaluators {
  Sides<ErrorDouble> (*filter)(const Problem&);
  Sides<Interval<50>> (*digits50)(const Problem&);
  Sides<Interval<100>> (*digits100)(const Problem&);
  Sides<Interval<kCapDigits>> (*digits200)(const Problem&);
};

}  // namespace attn
