#include <algorithm>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"

namespace attn::properties {

namespace {

/// a of Lemma 1: left to be max |l_i|, or exactly that, or above where the family leaves it open.
void draw_bound(Draw& draw, const Family& family, Case& output) {
  if (draw.one_in(3)) return;
  const Rational most = largest_size(output.logits);
  const bool attained = family.scores == Scores::one_at_an_end || (most > 0 && draw.one_in(2));
  output.bound = attained ? most : Rational(most + draw.power_of_two(-6, 3) * output.temperature);
}

/// One token up and one down, one token alone, or all of them anyhow.
void draw_direction(Draw& draw, Case& output) {
  const std::size_t tokens = output.tokens();
  output.direction.assign(tokens, Rational(0));
  const std::vector<std::size_t> two = draw.subset(2, tokens);
  output.direction[two[0]] = 1;
  switch (draw.integer(0, 2)) {
    case 0:
      output.direction[two[1]] = -1;
      break;
    case 1:
      break;
    default:
      output.direction = draw_vector(draw, tokens, 4, 8);
      if (largest_size(output.direction) == 0) output.direction[two[0]] = 1;
  }
  output.epsilon = draw.power_of_two(-20, 4) * output.temperature;
}

/// A step of about the size of the logits, or of any size: logits near 0 then cross it.
void draw_step(Draw& draw, const Family& family, Case& output) {
  const bool near = family.scores == Scores::near_zero || draw.one_in(4);
  const Rational most = largest_size(output.logits);
  const Rational size = near && most > 0 ? most : output.temperature;
  output.step = draw_vector(draw, output.tokens(), 2, 4);
  if (largest_size(output.step) == 0) output.step.front() = -1;
  for (Rational& h : output.step) h *= size;
  if (output.normalizer == Normalizer::self_adjusted) output.constant = draw.power_of_two(-3, 10);
}

/// Two levels matter where there are many tokens on the lower one.
std::size_t draw_tokens(Draw& draw, const Family& family, int size) {
  const bool many = family.scores == Scores::two_level && draw.one_in(2);
  return many ? family.max_tokens : draw.grown(2, family.max_tokens, size);
}

/// Temperature and logits.
Case draw_row(Draw& draw, const Family& family, int size) {
  Case output;
  draw_logits(draw, family, draw_tokens(draw, family, size), output);
  return output;
}

}  // namespace

Case draw_case(Draw& draw, const NormalizedRow&, const Family& family, int size) {
  Case output = draw_row(draw, family, size);
  draw_normalizer(draw, &NormalizerTraits::smooth_positive, family, output);
  return output;
}

Case draw_case(Draw& draw, const SoftmaxRow&, const Family& family, int size) {
  return draw_row(draw, family, size);
}

Case draw_case(Draw& draw, const BoundedRow&, const Family& family, int size) {
  Case output = draw_row(draw, family, size);
  draw_normalizer(draw, &NormalizerTraits::of_any_length, family, output);
  draw_bound(draw, family, output);
  return output;
}

Case draw_case(Draw& draw, const RowOf& kind, const Family& family, int size) {
  Case output = draw_row(draw, family, size);
  output.normalizer = kind.normalizer;
  draw_normalizer_parameters(draw, output);
  return output;
}

Case draw_case(Draw& draw, const SoftmaxDirection&, const Family& family, int size) {
  Case output = draw_row(draw, family, size);
  draw_direction(draw, output);
  return output;
}

Case draw_case(Draw& draw, const StepOf& kind, const Family& family, int size) {
  Case output = draw_row(draw, family, size);
  output.normalizer = kind.normalizer;
  draw_step(draw, family, output);
  return output;
}

}  // namespace attn::properties
