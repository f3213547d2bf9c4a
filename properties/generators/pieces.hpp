#pragma once

#include <cstddef>
#include <vector>

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"
#include "properties/generators/scores.hpp"
#include "theory/attention/normalizer.hpp"

/// The pieces that the cases of several kinds are made of.
namespace attn::properties {

Rational draw_temperature(Draw& draw, TemperatureRange heat);

/// Fills in the temperature and the logits of a kind that has them.
template <class Row>
void draw_logits(Draw& draw, const Family& family, std::size_t tokens, Row& output) {
  output.temperature = draw_temperature(draw, family.heat);
  output.logits = draw_scaled_logits(draw, family.scores, tokens);
  for (Rational& logit : output.logits) logit *= output.temperature;
}

/// A normaliser that fits the paper's assumption, or, in the family `other_normalizers`, one that
/// does not.
Normalizer draw_normalizer(Draw& draw, bool NormalizerTraits::*fits, const Family& family);

/// Weights or logits with a normaliser. Vectors that cancel get weights: both sides of Theorem 1
/// may then vanish, which no enclosure shows of weights that are not rational.
template <class Embeddings>
void draw_scores(Draw& draw, const Family& family, std::size_t tokens, Embeddings& output) {
  const bool other = family.reach == SamplingMode::other_normalizers;
  const bool cancels = family.vectors == Vectors::opposite_pairs;
  if (family.heat == TemperatureRange::moderate && !other && (cancels || draw.one_in(2))) {
    output.weights = shares(draw_parts(draw, family.scores, tokens, false));
    return;
  }
  draw_logits(draw, family, tokens, output);
  if (other || draw.one_in(2)) {
    output.normalizer = draw_normalizer(draw, &NormalizerTraits::probability, family);
  }
}

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
