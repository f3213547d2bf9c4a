#pragma once

#include <string_view>

#include "theory/scalar/error_double.hpp"
#include "theory/scalar/interval.hpp"

namespace attn {

class Problem;

/// Three-valued truth of a comparison between enclosures.
enum class Truth { no, yes, unknown };

/// Both sides of a claim at one precision, and whether the case meets the claim's hypotheses.
template <class S>
struct Evaluation {
  S lhs{};
  S rhs{};
  Truth hypotheses{Truth::yes};
  std::string_view unmet{};  ///< names the hypothesis where `hypotheses` is not yes
};

/// The same templated code at every level: the double filter, then intervals.
struct Evaluators {
  Evaluation<ErrorDouble> (*filter)(const Problem&);
  Evaluation<Interval<50>> (*digits50)(const Problem&);
  Evaluation<Interval<100>> (*digits100)(const Problem&);
  Evaluation<Interval<200>> (*digits200)(const Problem&);
};

}  // namespace attn
