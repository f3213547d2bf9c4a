#pragma once

#include "theory/number/error_double.hpp"
#include "theory/number/exact.hpp"
#include "theory/number/interval.hpp"

namespace attn {

class CaseContext;

/// Both sides of a claim `lhs <= rhs`, in one arithmetic.
template <class S>
struct Sides {
  S lhs{};
  S rhs{};
};

template <class S>
Sides(S, S) -> Sides<S>;

/// The sides of a claim by the same templated code in every arithmetic: the double filter,
/// intervals, and exact numbers.
struct Evaluators {
  Sides<ErrorDouble> (*filter)(const CaseContext&);
  Sides<Interval> (*enclose)(const CaseContext&);  ///< to the working digits
  Sides<Exact> (*exact)(const CaseContext&);       ///< throws BeyondExact where a side is not known
};

}  // namespace attn
