#pragma once

#include "theory/attention/case_context.hpp"

namespace attn {

// Whether bounds are attained, decided exactly; false too where that is not known.

// The bounds on D by the largest distance d1 = max_{i in O, j in I} ||x_i - x_j|| and the largest
// length X = max_{j in I} ||x_j||, for weights >= 0 of sum 1. Let c be the embedding that all
// tokens of weight in I share; where they share none, and A > 0, neither is attained.

/// D = (1-A) d1 + X sum_{i in O} (A - a_i). Known where every A - a_i >= 0, as for the N largest
/// weights, or X = 0: then it is the next one.
bool attains_theorem1(const CaseContext& context);

/// D = (1-A) d1 + X sum_{i in O} |A - a_i|: for every i in O, ||x_i - c|| = d1 where a_i > 0, ||c||
/// = X where a_i != A, and where both, x_i - c is t c with t (A - a_i) <= 0 or c = 0; of A = 0,
/// ||x_i|| = d1 + X where a_i > 0.
bool attains_theorem1_any_set(const CaseContext& context);

// The bounds on D about the selected tokens' centre c = s/A, A > 0: token by token, since the
// triangle inequality is an equality just where vectors point one way. Of other normalisers than
// softmax equal weights are known to be equal, and nothing else.

/// ||c|| (A (L-N) - (1-A)) - sum_{i in O} a_i ||x_i - c|| = D, where I holds the N largest weights.
bool attains_centred_lower(const CaseContext& context);

/// D = ||c|| sum_{i in O} |A - a_i| + sum_{i in O} a_i ||x_i - c||.
bool attains_centred_upper(const CaseContext& context);

/// |D - (L-N) ||s||| = sum_{i in O} a_i ||x_i||.
bool attains_linear(const CaseContext& context);

/// ||sum_{i in O} (a_i x_i - s)|| = D. Known on a line through 0, and of one token outside.
bool attains_net(const CaseContext& context);

/// max_{i in O} | ||y_i - s|| - ||s|| | = max_{i in O} ||y_i||, y_i = a_i x_i. Known where a token
/// that certainly has the longest y_i points away from s, or as s does and is no longer.
bool attains_radius(const CaseContext& context);

/// sum_{i < k in O} ||y_i - y_k|| = (L-N-1) D. Known on a line through 0.
bool attains_spread(const CaseContext& context);

// The bounds on what is lost with the tokens of O, e = sum_{i in O} y_i and o = s + e.

/// ||e|| = sum_{i in O} ||y_i||.
bool attains_deletion(const CaseContext& context);

/// ||e|| = (1-A) max_{i in O} ||x_i||.
bool attains_deletion_mass(const CaseContext& context);

/// ||o - s/A|| = (1-A) max_{i in O, j in I} ||x_i - x_j||, A > 0.
bool attains_renormalised(const CaseContext& context);

/// ||o - s/A||^2 = ((1-A)/A) sum_i a_i ||x_i - o||^2, A > 0: where the tokens of weight in I are at
/// one vector, and those in O too.
bool attains_renormalised_variance(const CaseContext& context);

/// ||o - s/A|| = ||e||, A > 0. Known where s = 0, and where all of I are at one vector and all of O
/// at one as far from that as from 0.
bool loses_the_same(const CaseContext& context);

/// ||o - s'/A'|| = ||o - s/A||, s' and A' of the N + 1 largest weights. Known where the next token
/// has no weight, and where its x is s/A.
bool keeps_the_centre(const CaseContext& context);

// The bounds on E[D] over random sets, y_i = a_i x_i.

/// p sum_i ||m_i|| = E = p sum_i sqrt(||m_i||^2 + V_i), I uniform over the sets of N tokens. Known
/// where y_i - s, i outside, is the same for every set: at N = L-1, and where all y_i are equal.
bool attains_random(const CaseContext& context);

/// p sum_i ||m_i|| = E, I uniform over the sets of N tokens. Known where y_i - s, i outside, is the
/// same for every set, where at most one y_i is not 0, and where all y_i lie on one line through 0
/// and y_i - s points the same way for every set.
bool attains_random_lower(const CaseContext& context);

/// E = p (N+1) sum_i ||y_i||, a_i >= 0. Known where at most one y_i is not 0, and of N = 1 where
/// two are not and point opposite ways.
bool attains_full_set(const CaseContext& context);

/// |E - p sum_i ||y_i||| = p N sum_i ||y_i||, a_i >= 0. Known where the former is attained, and of
/// N = 1 where all y_i are equal.
bool attains_contributions(const CaseContext& context);

}  // namespace attn
