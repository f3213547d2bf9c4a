#include <optional>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "theory/number/rationals.hpp"

namespace attn::properties {

namespace {

/// a of Lemma 1: left to be max |l_i|, or exactly that, or above where the family leaves it open.
std::optional<Rational> draw_bound(Draw& draw, const Family& family, const BoundedRow& row) {
  if (draw.one_in(3)) return std::nullopt;
  const Rational most = largest_absolute(row.logits);
  const bool attained =
      family.scores == ScorePattern::one_at_an_end || (most > 0 && draw.one_in(2));
  return attained ? most : Rational(most + draw.power_of_two(-6, 3) * row.temperature);
}

/// One token up and one down, one token alone, or all of them anyhow.
std::vector<Rational> draw_direction(Draw& draw, std::size_t tokens) {
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
template <class Row>
std::vector<Rational> draw_step(Draw& draw, const Family& family, const Row& row) {
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

/// Temperature and logits.
template <class Row>
Row draw_row(Draw& draw, const Family& family, int size) {
  Row row;
  draw_logits(draw, family, draw_tokens(draw, family, size), row);
  return row;
}

/// The same, a direction and epsilon.
template <class Row>
Row draw_directed(Draw& draw, const Family& family, int size) {
  auto row = draw_row<Row>(draw, family, size);
  row.direction = draw_direction(draw, tokens_of(row));
  row.epsilon = draw.power_of_two(-20, 4) * row.temperature;
  return row;
}

}  // namespace

NormalizedRow draw_case(Draw& draw, const NormalizedRow&, const Family& family, int size) {
  auto row = draw_row<NormalizedRow>(draw, family, size);
  row.normalizer = draw_normalizer(draw, &NormalizerTraits::smooth_positive, family);
  return row;
}

SoftmaxRow draw_case(Draw& draw, const SoftmaxRow&, const Family& family, int size) {
  return draw_row<SoftmaxRow>(draw, family, size);
}

TwoTemperatureLogits draw_case(Draw& draw, const TwoTemperatureLogits&, const Family& family,
                               int size) {
  auto row = draw_row<TwoTemperatureLogits>(draw, family, size);
  const Rational factor =
      draw.one_in(2) ? draw.power_of_two(-10, -1) : dyadic(draw.integer(1, 63), 6);
  row.colder = factor * row.temperature;
  return row;
}

BoundedRow draw_case(Draw& draw, const BoundedRow&, const Family& family, int size) {
  auto row = draw_row<BoundedRow>(draw, family, size);
  row.normalizer = draw_normalizer(draw, &NormalizerTraits::of_any_length, family);
  row.bound = draw_bound(draw, family, row);
  return row;
}

FixedNormalizerLogits draw_case(Draw& draw, const FixedNormalizerLogits& kind, const Family& family,
                                int size) {
  auto row = draw_row<FixedNormalizerLogits>(draw, family, size);
  row.normalizer = kind.normalizer;
  return row;
}

PoolingRow draw_case(Draw& draw, const PoolingRow&, const Family& family, int size) {
  auto row = draw_row<PoolingRow>(draw, family, size);
  row.gain = draw_gain(draw);
  return row;
}

PolynomialRow draw_case(Draw& draw, const PolynomialRow&, const Family& family, int size) {
  auto row = draw_row<PolynomialRow>(draw, family, size);
  row.degree = draw.index(1, 6);
  const Rational most = largest_absolute(row.logits);
  row.bound = draw.one_in(2) && most > 0
                  ? most
                  : Rational(most + draw.power_of_two(-6, 3) * row.temperature);
  return row;
}

SoftmaxDirection draw_case(Draw& draw, const SoftmaxDirection&, const Family& family, int size) {
  return draw_directed<SoftmaxDirection>(draw, family, size);
}

SoftmaxSteps draw_case(Draw& draw, const SoftmaxSteps&, const Family& family, int size) {
  auto row = draw_directed<SoftmaxSteps>(draw, family, size);
  row.larger_epsilon = row.epsilon * (draw.one_in(2) ? draw.power_of_two(1, 10)
                                                     : 1 + dyadic(draw.integer(1, 64), 6));
  return row;
}

FixedNormalizerStep draw_case(Draw& draw, const FixedNormalizerStep& kind, const Family& family,
                              int size) {
  auto row = draw_row<FixedNormalizerStep>(draw, family, size);
  row.normalizer = kind.normalizer;
  row.step = draw_step(draw, family, row);
  return row;
}

StepWithin draw_case(Draw& draw, const StepWithin& kind, const Family& family, int size) {
  auto row = draw_row<StepWithin>(draw, family, size);
  row.normalizer = kind.normalizer;
  row.step = draw_step(draw, family, row);
  row.constant = draw.power_of_two(-3, 10);
  return row;
}

}  // namespace attn::properties
