#pragma once

#include <vector>

#include "theory/number/interval.hpp"

namespace attn {

// The root t of sum_i a_i^2 / (a_i - t) = 1 in [a_(2), a_(1)], approximately, for weights a, the
// two largest first, [L], L >= 2, and rest = 1 - a_(1): the largest eigenvalue of diag a - a a^T.
// Of other numbers anything may come. No verdict rests on it: softmax_jacobian_norm looks for
// certain signs around it.

double secular_root(const std::vector<double>& a, double rest);

/// To about the working digits.
Interval::End secular_root(const std::vector<Interval::End>& a, const Interval::End& rest);

}  // namespace attn
