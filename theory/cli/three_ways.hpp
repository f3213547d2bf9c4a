#pragma once

#include <string>

#include "theory/claims/decide.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {

/// What the ways to a verdict say of one case: the filter and the ladder, as a search decides it;
/// intervals alone; and the second implementation.
struct ThreeWays {
  Decision usual;             ///< by the filter and the ladder
  bool compared{};            ///< with both others: not where an expectation is sampled, of which
                              ///< each way draws its own sample, or the case is beyond the second
  std::string contradiction;  ///< in words; empty where all agree, or one cannot tell;
                              ///< that the second refuses a valid case is one
};

/// Decides a case that `read_case` has read or a generator drawn in all three ways; `max_digits`
/// ends the ladder of the first.
ThreeWays decide_three_ways(const recheck::Checks& checks, const Claim& claim, const Case& input,
                            unsigned max_digits = 200);

}  // namespace attn
