#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// P(||sum_j b_j u_j|| <= r) for independent u_j uniform on the unit sphere of R^d, exactly.
///
/// d = 1: by enumeration of signs. d = 3: from the density f of one coordinate of the sum, which is
/// a spline; P = 2 int_0^r f - 2 r f(r) (claim theorem2.lower). `radii` b_j >= 0, r >= 0, d = 1 or
/// 3.
Rational probability_within(const std::vector<Rational>& radii, const Rational& r, std::size_t d);

/// E[N_s]/N of Theorem 2 under Assumption 1: the mean over i of
/// P(||sum_{j != i} radii_j u_j|| <= r), where radii_j = R a_j over the selected tokens.
Rational expected_distinguishable_share(const std::vector<Rational>& radii, const Rational& r,
                                        std::size_t d);

/// E[N_s]/N of Theorem 2 in d >= 2 dimensions where no direction matters: of every i the length
/// X_i = ||sum_{j != i} radii_j u_j|| is certainly at most r, or above it but with probability 0.
/// Nothing elsewhere. `closeness`: (delta/R)^2, of tokens that are at least delta apart, whose X_i
/// is at most xi_i (claim theorem2.lower); 0 of independent ones.
std::optional<Rational> settled_share(const std::vector<Rational>& radii, const Rational& r,
                                      const Rational& closeness);

/// E[N_x]/N in d = 1: N_x is the number of selected tokens with |y_i - s| <= r where no token
/// outside is as near to s, and 0 where one is. y_i = radii_i sigma_i of the selected tokens,
/// outside_j sigma_j of the others, with independent signs; s is the sum of the selected y_i. r >=
/// 0, both lists >= 0 and not empty.
Rational expected_exclusive_share(const std::vector<Rational>& radii,
                                  const std::vector<Rational>& outside, const Rational& r);

/// How many sign patterns the exact probability adds up for these radii: the product of (m + 1)
/// over the multiplicities m of the distinct radii. Saturates at 2^62.
std::size_t sign_patterns(const std::vector<Rational>& radii);

}  // namespace attn
