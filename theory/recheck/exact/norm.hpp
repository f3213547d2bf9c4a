#pragma once

#include <vector>

#include "theory/recheck/exact/surd.hpp"

// Spectral norms, which are no sums of roots, beside numbers that are. All throw Beyond where the
// order is not found.

namespace attn::recheck::exact {

/// ||diag(a) - a a^T|| of weights > 0 in decreasing order and of sum 1, where it is a `Surd`: of
/// one weight, of two, and where the two largest are equal.
std::optional<Surd> softmax_norm_as_surd(const std::vector<Surd>& a);

/// -1, 0 or 1 as ||diag(a) - a a^T|| is below, at or above x, for weights as above, more than two.
int compare_softmax_norm(const std::vector<Surd>& a, const Surd& x);

/// -1, 0 or 1 as ||m|| is below, at or above x.
int compare_spectral_norm(const std::vector<std::vector<Surd>>& m, const Surd& x);

}  // namespace attn::recheck::exact
