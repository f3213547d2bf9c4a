#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// max |value|; 0 where there are none.
Rational largest_absolute(const std::vector<Rational>& values);

/// min |value|. Needs at least one.
Rational least_absolute(const std::vector<Rational>& values);

/// Whether all are 0.
bool is_zero(const std::vector<Rational>& values);

/// The numbers less their mean. Needs at least one.
std::vector<Rational> about_mean(std::vector<Rational> numbers);

/// The indices of the numbers by decreasing number, ties to the lower index.
std::vector<std::size_t> falling_order(const std::vector<Rational>& numbers);

/// sum_k a_k b_k, exactly. The two are equally long. Throws BadInput for NaN and infinities.
Rational exact_dot(std::span<const double> a, std::span<const double> b);

/// sum_k a_k b_k, exactly. The two are equally long.
Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b);

/// max_{i,k} ||x_i - x_k||^2, exactly, of vectors of the same length; 0 of fewer than two.
Rational squared_diameter(const std::vector<std::vector<Rational>>& x);

/// The first coordinate that is not 0. v is not 0.
std::size_t pivot_of(const std::vector<Rational>& v);

/// Whether u = t v for some t. v is not 0 in the coordinate `pivot`.
bool is_along(const std::vector<Rational>& u, const std::vector<Rational>& v, std::size_t pivot);

}  // namespace attn
