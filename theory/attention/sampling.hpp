#pragma once

#include <cstddef>
#include <vector>

#include "theory/number/error_double.hpp"

namespace attn {

/// The least probability with which each sampled interval holds the exact expectation.
inline constexpr double kConfidence = 1 - 1e-9;

/// Draws behind one sampled expectation.
inline constexpr std::size_t kSamples = 4096;

/// More sets than this are sampled, not enumerated.
inline constexpr std::size_t kMostSets = 20'000;

struct ConfidenceInterval {
  double lower;
  double upper;
};

/// C(n, k), or any number above kMostSets where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k);

/// E[D] = E sum_{i not in I} ||y_i - sum_{j in I} y_j|| for I uniform over the sets of `count`
/// tokens, from kSamples draws, by the empirical Bernstein bound of Maurer and Pontil (2009) with
/// 0 <= D <= `most`. The draws depend on the number of tokens and on `count` alone. y: [L][d].
ConfidenceInterval sample_distance(const std::vector<std::vector<ErrorDouble>>& y,
                                   std::size_t count, const ErrorDouble& most);

/// The mean over i of P(||sum_{j != i} radii_j u_j|| <= r), u_j independent and uniform on the unit
/// sphere of R^d, from kSamples draws of a token i and of directions: a Clopper-Pearson interval.
/// A draw whose length double arithmetic cannot tell from r counts on both sides. d >= 1.
///
/// Directions are normal vectors of doubles: their distribution differs from the uniform one by
/// rounding only, which is far below what kSamples draws can see.
ConfidenceInterval sample_share(const std::vector<ErrorDouble>& radii, const ErrorDouble& r,
                                std::size_t dimension);

}  // namespace attn
