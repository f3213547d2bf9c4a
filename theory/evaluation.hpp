#pragma once

#include "theory/scalar/error_double.hpp"
#include "theory/scalar/interval.hpp"

namespace attn {

class Problem;

/// Both sides of a claim `lhs <= rhs`, at one precision.
template <class S>
struct Sides {
  S lhs{};
  S rhs{};
};

/// The same templated code at every level: the double filter, then intervals.
struct Evaluators {
  Sides<ErrorDouble> (*filter)(const Problem&);
  Sides<Interval<50>> (*digits50)(const Problem&);
  Sides<Interval<100>> (*digits100)(const Problem&);
  Sides<Interval<200>> (*digits200)(const Problem&);
};

/// The evaluators of a formula, given as `template <class S> static Sides<S> sides(const
/// Problem&)`.
template <class Formula>
constexpr Evaluators evaluators_of() {
  return {&Formula::template sides<ErrorDouble>, &Formula::template sides<Interval<50>>,
          &Formula::template sides<Interval<100>>, &Formula::template sides<Interval<200>>};
}

}  // namespace attn
