#pragma once

#include <cstddef>
#include <vector>

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"
#include "theory/attention/case.hpp"
#include "theory/attention/normalizer.hpp"

/// The pieces that the cases of several kinds are made of.
namespace attn::properties {

Rational draw_temperature(Draw& draw, TemperatureRange range);

/// L logits over T, each a dyadic number: |z| up to about 50, or up to 350 for
/// ScorePattern::huge_gaps.
std::vector<Rational> draw_scaled_logits(Draw& draw, ScorePattern scores, std::size_t tokens);

/// L non-negative integers, not all zero, below 2^56 in sum; the weights are their shares.
std::vector<std::int64_t> draw_parts(Draw& draw, ScorePattern scores, std::size_t tokens);

/// Weights that sum to exactly 1: each part over the sum of the parts.
std::vector<Rational> shares(const std::vector<std::int64_t>& parts);

/// Fills in the temperature and the logits.
void draw_logits(Draw& draw, const Family& family, std::size_t tokens, Case& output);

/// A normaliser that fits the paper's assumption, or, in the family `other_normalizers`, one that
/// does not.
Normalizer draw_normalizer(Draw& draw, bool NormalizerTraits::*fits, const Family& family);

/// Weights or logits with a normaliser. Vectors that cancel get weights: both sides of Theorem 1
/// may then vanish, which no enclosure shows of weights that are not rational.
void draw_scores(Draw& draw, const Family& family, std::size_t tokens, Case& output);

/// `count` dyadic numbers in [-bound, bound].
std::vector<Rational> draw_vector(Draw& draw, std::size_t count, std::int64_t bound,
                                  unsigned fraction_bits);

/// [tokens][dimension]
std::vector<std::vector<Rational>> draw_vectors(Draw& draw, Vectors vectors, std::size_t tokens,
                                                std::size_t dimension);

/// N in 1 .. tokens - 1.
std::size_t draw_selected(Draw& draw, Selection selection, std::size_t tokens);

/// The gain of attention pooling: 1, or from 1/8 to 8.
Rational draw_gain(Draw& draw);

}  // namespace attn::properties
