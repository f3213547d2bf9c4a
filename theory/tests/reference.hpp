#pragma once

#include <string_view>

#include "theory/case.hpp"
#include "theory/scalar/interval.hpp"

namespace attn::test {

/// Both sides of a claim in plain 50-digit arithmetic, straight from the definitions: the Jacobian
/// by central differences of the weights, its norm by Jacobi rotations of J^T J, selection by
/// repeated search, expectations by every sign pattern. Shares no formula with theory/.
struct Reference {
  Real<50> lhs;
  Real<50> rhs;
  bool met{true};  ///< whether the case meets the claim's hypotheses
};

/// Fails by an exception for a claim it does not know.
Reference reference_sides(std::string_view id, const Case& input);

}  // namespace attn::test
