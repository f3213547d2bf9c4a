#pragma once

#include <string_view>

#include "theory/number/error_double.hpp"
#include "theory/number/interval.hpp"

namespace attn {

class CaseContext;

/// Both sides of a claim `lhs <= rhs`, of one arithmetic.
template <class S>
struct Sides {
  S lhs{};
  S rhs{};
};

template <class S>
Sides(S, S) -> Sides<S>;

/// A quantity on the way to the two sides, under the name that the statement gives it.
struct Step {
  std::string_view name;
  Interval value;
};

/// The same templated code in both arithmetics: the double filter, and intervals.
struct Evaluators {
  Sides<ErrorDouble> (*filter)(const CaseContext&);
  Sides<Interval> (*enclose)(const CaseContext&);  ///< to the working digits
};

}  // namespace attn
