#include "properties/generators/pieces.hpp"

#include <algorithm>
#include <stdexcept>

namespace attn::properties {

Rational draw_temperature(Draw& draw, TemperatureRange heat) {
  switch (heat) {
    case TemperatureRange::moderate:
      return draw.one_in(4) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
    case TemperatureRange::tiny:
      return draw.power_of_two(-30, -10);
    case TemperatureRange::large:
      return draw.power_of_two(10, 30);
  }
  throw std::logic_error("a heat without a temperature");
}

void draw_logits(Draw& draw, const Family& family, std::size_t tokens, Case& output) {
  output.temperature = draw_temperature(draw, family.heat);
  output.logits = draw_scaled_logits(draw, family.scores, tokens);
  for (Rational& logit : output.logits) logit *= output.temperature;
}

Normalizer draw_normalizer(Draw& draw, bool NormalizerTraits::*fits, const Family& family) {
  const bool fitting = family.reach != SamplingMode::other_normalizers;
  std::vector<Normalizer> from;
  for (const NormalizerTraits& row : normalizers()) {
    if (row.normalizer && row.*fits == fitting) from.push_back(*row.normalizer);
  }
  return from[draw.index(0, from.size() - 1)];
}

void draw_scores(Draw& draw, const Family& family, std::size_t tokens, Case& output) {
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

std::vector<Rational> draw_vector(Draw& draw, std::size_t count, std::int64_t bound,
                                  unsigned fraction_bits) {
  std::vector<Rational> x(count);
  std::generate(x.begin(), x.end(), [&] { return draw.dyadic(bound, fraction_bits); });
  return x;
}

std::vector<std::vector<Rational>> draw_vectors(Draw& draw, Vectors vectors, std::size_t tokens,
                                                std::size_t dimension) {
  const auto bits = static_cast<unsigned>(draw.integer(0, 12));
  const std::int64_t bound = draw.one_of({1, 4, 16});
  const auto vector = [&] { return draw_vector(draw, dimension, bound, bits); };
  const auto times = [](const Rational& factor, std::vector<Rational> x) {
    for (Rational& coordinate : x) coordinate *= factor;
    return x;
  };
  std::vector<std::vector<Rational>> drawn(tokens);
  switch (vectors) {
    case Vectors::generic:
      for (auto& x : drawn) x = vector();
      break;
    case Vectors::equal:
      drawn.assign(tokens, vector());
      break;
    case Vectors::zero_and_equal:
      drawn.assign(tokens, vector());
      drawn.front().assign(dimension, Rational(0));
      break;
    case Vectors::collinear: {
      const std::vector<Rational> line = vector();
      for (auto& x : drawn) x = times(draw.dyadic(4, 3), line);
      break;
    }
    case Vectors::opposite_pairs:
      drawn.assign(tokens, std::vector<Rational>(dimension));
      for (std::size_t i = 0; i + 1 < tokens; i += 2) {
        drawn[i] = vector();
        drawn[i + 1] = times(-1, drawn[i]);
      }
      break;
  }
  return drawn;
}

std::size_t draw_selected(Draw& draw, Selection selection, std::size_t tokens) {
  switch (selection) {
    case Selection::any:
      return draw.grown(1, tokens - 1, 100);
    case Selection::one:
      return 1;
    case Selection::all_but_one:
      return tokens - 1;
  }
  throw std::logic_error("a selection without a count");
}

Rational draw_gain(Draw& draw) {
  return draw.one_in(2) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
}

}  // namespace attn::properties
