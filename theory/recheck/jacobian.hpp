#pragma once

#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/norm.hpp"

namespace attn::recheck {

/// sum_{j != i} v_j for every i, by sums from both ends: no digits cancel. [L]
std::vector<Arb> sums_of_others(const std::vector<Arb>& v);

/// J of a_i = F_i/S with S = rest + sum_j F_j, entry by entry: J_ij = delta_ij F'_i/S - F_i
/// F'_j/S^2, whose diagonal is F'_i (S - F_i)/S^2. `slope` is F' with respect to the logit. [L][L]
Rows quotient_jacobian(const std::vector<Arb>& f, const std::vector<Arb>& slope,
                       const Arb& rest = Arb(0));

}  // namespace attn::recheck
