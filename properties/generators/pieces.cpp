#include "properties/generators/pieces.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace attn::properties {

namespace {

constexpr unsigned kTieBits = 24;  // near ties are apart by 1 to 16 times 2^-24

template <class Number>
std::vector<Number> filled(std::size_t count, const auto& next) {
  std::vector<Number> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(next());
  return values;
}

/// Values taken from a pool of one to three, and of fewer than there are tokens.
template <class Number>
std::vector<Number> with_repeats(Draw& draw, std::size_t tokens, const auto& next) {
  const std::size_t distinct = std::min(draw.index(1, 3), tokens - 1);
  const std::vector<Number> pool = filled<Number>(distinct, next);
  return filled<Number>(tokens, [&] { return pool[draw.index(0, distinct - 1)]; });
}

/// Tokens 2i and 2i + 1 hold a value and its partner; an odd one out holds `lone`.
template <class Number>
std::vector<Number> paired(std::size_t tokens, const auto& next, const auto& partner,
                           const Number& lone) {
  std::vector<Number> values(tokens, lone);
  for (std::size_t i = 0; i + 1 < tokens; i += 2) {
    values[i] = next();
    values[i + 1] = partner(values[i]);
  }
  return values;
}

}  // namespace

std::vector<Rational> draw_scaled_logits(Draw& draw, ScorePattern scores, std::size_t tokens) {
  const auto bits = static_cast<unsigned>(draw.integer(0, 20));
  const std::int64_t bound = draw.one_of({1, 4, 16, 50});
  const auto moderate = [&] { return draw.dyadic(bound, bits); };
  const auto two = draw.subset(2, tokens);
  switch (scores) {
    case ScorePattern::generic:
      return filled<Rational>(tokens, moderate);
    case ScorePattern::near_ties: {
      const Rational centre = moderate();
      std::vector<Rational> z = filled<Rational>(tokens, [&]() -> Rational {
        if (draw.one_in(4)) return moderate();
        return centre + dyadic(draw.integer(-16, 16), kTieBits);
      });
      z[two[0]] = centre;
      z[two[1]] = centre + dyadic(draw.integer(1, 16), kTieBits);
      return z;
    }
    case ScorePattern::exact_ties:
      return with_repeats<Rational>(draw, tokens, moderate);
    case ScorePattern::one_dominant: {
      std::vector<Rational> z = filled<Rational>(tokens, [&] { return draw.dyadic(10, bits); });
      z[two[0]] = 20 + dyadic(draw.integer(0, std::int64_t{30} << bits), bits);
      return z;
    }
    case ScorePattern::flat:
      return std::vector<Rational>(tokens, moderate());
    case ScorePattern::huge_gaps: {
      std::vector<Rational> z = filled<Rational>(tokens, [&] { return draw.dyadic(350, bits); });
      const std::int64_t sign = draw.one_of({-1, 1});
      z[two[0]] = sign * draw.integer(50, 350);
      z[two[1]] = -sign * draw.integer(50, 350);
      return z;
    }
    case ScorePattern::equal_pairs:
      return paired<Rational>(
          tokens, moderate, [](const Rational& z) { return z; }, moderate());
    case ScorePattern::opposite_pairs:
      return paired<Rational>(
          tokens, moderate, [](const Rational& z) { return -z; }, Rational(0));
    case ScorePattern::two_level: {
      std::vector<Rational> z(tokens, Rational(0));
      // Up to 8, and often between 1 and 2, where sparse normalisers begin to leave tokens out.
      z[two[0]] = draw.one_in(4) ? dyadic(draw.integer(1, std::int64_t{8} << bits), bits)
                                 : 1 + dyadic(draw.integer(1, 256), 8);
      return z;
    }
    case ScorePattern::near_zero: {
      const auto depth = static_cast<unsigned>(draw.integer(16, 30));
      return filled<Rational>(tokens, [&] { return dyadic(draw.integer(-8, 8), depth); });
    }
    case ScorePattern::one_at_an_end: {
      const Rational sign = draw.one_of({-1, 1});
      const Rational end = sign * dyadic(draw.integer(1, bound << bits), bits);
      std::vector<Rational> z(tokens, Rational(-end));
      z[two[0]] = end;
      return z;
    }
  }
  throw std::logic_error("a kind of scores without logits");
}

std::vector<std::int64_t> draw_parts(Draw& draw, ScorePattern scores, std::size_t tokens) {
  using Part = std::int64_t;
  const auto moderate = [&]() -> Part { return draw.one_in(16) ? 0 : draw.integer(1, 1000); };
  const auto two = draw.subset(2, tokens);
  std::vector<Part> parts;
  switch (scores) {
    case ScorePattern::generic:
    case ScorePattern::opposite_pairs:
    case ScorePattern::two_level:
    case ScorePattern::near_zero:
    case ScorePattern::one_at_an_end:
      parts = filled<Part>(tokens, moderate);
      break;
    case ScorePattern::near_ties: {
      constexpr Part kCentre = Part{1} << kTieBits;
      parts = filled<Part>(tokens, [&]() -> Part {
        return draw.one_in(4) ? draw.integer(1, kCentre) : kCentre + draw.integer(-16, 16);
      });
      parts[two[0]] = kCentre;
      parts[two[1]] = kCentre + draw.integer(1, 16);
      break;
    }
    case ScorePattern::exact_ties:
      parts = with_repeats<Part>(draw, tokens, moderate);
      break;
    case ScorePattern::one_dominant: {
      parts = filled<Part>(tokens, [&] { return draw.integer(1, 10); });
      const Part all = std::accumulate(parts.begin(), parts.end(), Part{0});
      parts[two[0]] = all * draw.integer(9, 1000);
      break;
    }
    case ScorePattern::flat:
      parts.assign(tokens, 1);
      break;
    case ScorePattern::huge_gaps:
      parts = filled<Part>(tokens, [&] { return Part{1} << draw.integer(0, 50); });
      parts[two[0]] = 1;
      parts[two[1]] = Part{1} << draw.integer(40, 50);
      if (draw.one_in(2)) std::swap(parts[two[0]], parts[two[1]]);
      break;
    case ScorePattern::equal_pairs:
      parts = paired<Part>(
          tokens, moderate, [](const Part& part) { return part; }, moderate());
      break;
  }
  if (std::all_of(parts.begin(), parts.end(), [](Part part) { return part == 0; })) {
    std::fill(parts.begin(), parts.end(), 1);
  }
  return parts;
}

std::vector<Rational> shares(const std::vector<std::int64_t>& parts) {
  const std::int64_t sum = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
  std::vector<Rational> weights;
  weights.reserve(parts.size());
  for (const std::int64_t part : parts) weights.emplace_back(part, sum);
  return weights;
}

Rational draw_temperature(Draw& draw, TemperatureRange range) {
  switch (range) {
    case TemperatureRange::moderate:
      return draw.one_in(4) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
    case TemperatureRange::tiny:
      return draw.power_of_two(-30, -10);
    case TemperatureRange::large:
      return draw.power_of_two(10, 30);
  }
  throw std::logic_error("a range without a temperature");
}

void draw_logits(Draw& draw, const Family& family, std::size_t tokens, Case& output) {
  output.temperature = draw_temperature(draw, family.temperature);
  output.logits = draw_scaled_logits(draw, family.scores, tokens);
  for (Rational& logit : output.logits) logit *= output.temperature;
}

Normalizer draw_normalizer(Draw& draw, bool NormalizerTraits::*fits, const Family& family) {
  const bool fitting = family.sampling != SamplingMode::other_normalizers;
  std::vector<Normalizer> from;
  for (const NormalizerTraits& row : normalizers()) {
    if (row.normalizer && row.*fits == fitting) from.push_back(*row.normalizer);
  }
  return from[draw.index(0, from.size() - 1)];
}

void draw_scores(Draw& draw, const Family& family, std::size_t tokens, Case& output) {
  const bool other = family.sampling == SamplingMode::other_normalizers;
  const bool cancels = family.vectors == Vectors::opposite_pairs;
  if (family.temperature == TemperatureRange::moderate && !other && (cancels || draw.one_in(2))) {
    output.weights = shares(draw_parts(draw, family.scores, tokens));
    return;
  }
  draw_logits(draw, family, tokens, output);
  if (other || draw.one_in(2)) {
    output.normalizer = draw_normalizer(draw, &NormalizerTraits::probability, family);
  }
}

std::vector<Rational> draw_vector(Draw& draw, std::size_t count, std::int64_t bound,
                                  unsigned fraction_bits) {
  return filled<Rational>(count, [&] { return draw.dyadic(bound, fraction_bits); });
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
