#pragma once

#include <functional>
#include <vector>

#include "theory/recheck/ball.hpp"

namespace attn::recheck {

/// The mean over i of what is said of b_i and the other radii, asked once for each radius.
using OfRadius = std::function<Rational(const Rational& b, const std::vector<Rational>& others)>;
Rational mean_over_radii(const std::vector<Rational>& radii, const OfRadius& of_radius);

/// P(|sum_j b_j e_j| <= r) for independent signs e_j, exactly. `radii` b_j >= 0, r >= 0. Throws
/// BadInput where half of the radii have too many distinct signed sums.
Rational probability_on_line(std::vector<Rational> radii, const Rational& r);

/// The mean over i of P(|sum_{j != i} b_j e_j| <= r, and no +-c of `outside` is within r of sum_j
/// b_j e_j), the signs of all b_j and c independent, exactly. Throws as probability_on_line.
Rational exclusive_share_on_line(const std::vector<Rational>& radii,
                                 const std::vector<Rational>& outside, const Rational& r);

/// P(||sum_j b_j u_j|| <= r) for independent u_j uniform on the unit sphere of R^3, exactly. Throws
/// BadInput for more than 30 radii other than zero.
Rational probability_in_space(std::vector<Rational> radii, const Rational& r);

}  // namespace attn::recheck
