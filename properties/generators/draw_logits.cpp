#include <optional>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "theory/number/rationals.hpp"

namespace attn::properties {

namespace {

/// a of Lemma 1: left to be max |l_i|, or exactly that, or above where the family leaves it open.
std::optional<Rational> draw_bound(Draw& draw, const Family& family, const Case& row) {
  if (draw.one_in(3)) return std::nullopt;
  const Rational most = largest_absolute(row.logits);
  const bool attained =
      family.scores == ScorePattern::one_at_an_end || (most > 0 && draw.one_in(2));
  return attained ? most : Rational(most + draw.power_of_two(-6, 3) * row.temperature);
}

/// One token up and one down, one token alone, or all of them anyhow.
std::vector<Rational> any_direction(Draw& draw, std::size_t tokens) {
  std::vector<Rational> direction(tokens, Rational(0));
  const auto two = draw.two_of(tokens);
  direction[two[0]] = 1;
  switch (draw.integer(0, 2)) {
    case 0:
      direction[two[1]] = -1;
      break;
    case 1:
      break;
    default:
      direction = draw_vector(draw, tokens, 4, 8);
      if (largest_absolute(direction) == 0) direction[two[0]] = 1;
  }
  return direction;
}

/// A step of about the size of the logits, or of any size: logits near 0 then cross it.
std::vector<Rational> any_step(Draw& draw, const Family& family, const Case& row) {
  const bool near = family.scores == ScorePattern::near_zero || draw.one_in(4);
  const Rational most = largest_absolute(row.logits);
  const Rational size = near && most > 0 ? most : row.temperature;
  std::vector<Rational> step = draw_vector(draw, tokens_of(row), 2, 4);
  if (largest_absolute(step) == 0) step.front() = -1;
  for (Rational& h : step) h *= size;
  return step;
}

/// Two levels matter where there are many tokens on the lower one.
std::size_t draw_tokens(Draw& draw, const Family& family, int size) {
  const bool many = family.scores == ScorePattern::two_level && draw.one_in(2);
  return many ? family.max_tokens : draw.grown(2, family.max_tokens, size);
}

}  // namespace

void draw_logit_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logits(draw, family, draw_tokens(draw, family, size), output);
}

void draw_normalized_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.normalizer = draw_normalizer(draw, &NormalizerTraits::smooth_positive, family);
}

void draw_two_temperatures(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  const Rational factor =
      draw.one_in(2) ? draw.power_of_two(-10, -1) : dyadic(draw.integer(1, 63), 6);
  output.colder = factor * output.temperature;
}

void draw_bounded_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.normalizer = draw_normalizer(draw, &NormalizerTraits::of_any_length, family);
  output.bound = draw_bound(draw, family, output);
}

void draw_pooling_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.gain = draw_gain(draw);
}

void draw_polynomial_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.degree = draw.index(1, 6);
  const Rational most = largest_absolute(output.logits);
  output.bound = draw.one_in(2) && most > 0
                     ? most
                     : Rational(most + draw.power_of_two(-6, 3) * output.temperature);
}

void draw_direction(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.direction = any_direction(draw, output.logits.size());
  output.epsilon = draw.power_of_two(-20, 4) * output.temperature;
}

void draw_two_steps(Draw& draw, const Family& family, int size, Case& output) {
  draw_direction(draw, family, size, output);
  output.larger_epsilon = *output.epsilon * (draw.one_in(2) ? draw.power_of_two(1, 10)
                                                            : 1 + dyadic(draw.integer(1, 64), 6));
}

void draw_step(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.step = any_step(draw, family, output);
}

void draw_step_within(Draw& draw, const Family& family, int size, Case& output) {
  draw_step(draw, family, size, output);
  output.constant = draw.power_of_two(-3, 10);
}

}  // namespace attn::properties
