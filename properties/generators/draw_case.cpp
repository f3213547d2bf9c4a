#include "properties/generators/draw_case.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "properties/generators/pieces.hpp"
#include "theory/attention/token_sets.hpp"
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
  const auto two = draw.subset(2, tokens);
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

// An expectation adds up every set, in intervals where the bound is attained: usually a few hundred
// sets, now and then thousands.
constexpr std::size_t kUsualSets = 300;
constexpr std::size_t kManySets = 3000;
constexpr std::size_t kUsualCoordinates = 8;
constexpr std::size_t kLeastTokensToSample = 18;  // C(18, 7) is above kMostSets

/// Along the line of collinear vectors; else any direction. Not zero.
std::vector<Rational> draw_axis(Draw& draw, const Family& family,
                                const std::vector<std::vector<Rational>>& vectors) {
  const auto on_line = std::ranges::find_if_not(vectors, is_zero);
  if (family.vectors == Vectors::collinear && on_line != vectors.end()) return *on_line;
  std::vector<Rational> axis = draw_vector(draw, vectors.front().size(), 4, 3);
  if (is_zero(axis)) axis.front() = 1;
  return axis;
}

/// `x`, turned so that axis . x > 0.
std::vector<Rational> turned(std::vector<Rational> x, const std::vector<Rational>& axis) {
  const Rational along = dot(axis, x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (along < 0) x[k] = -x[k];
    if (along == 0) x[k] += axis[k];
  }
  return x;
}

/// ||x||, or a rational above it where it is none.
Rational length_or_more(const std::vector<Rational>& x) {
  if (const auto length = exact_root(dot(x, x))) return *length;
  Rational sum = 0;
  for (const Rational& coordinate : x) sum += abs(coordinate);
  return sum;
}

/// Turns the vectors so that u . x > 0: the largest c with u . x >= c ||u|| for all of them, or
/// less where ||u|| is not rational.
Rational reach_of_turned(std::span<std::vector<Rational>> vectors, const std::vector<Rational>& u) {
  std::optional<Rational> least;
  for (auto& x : vectors) {
    x = turned(std::move(x), u);
    const Rational along = dot(u, x);
    if (!least || along < *least) least = along;
  }
  return *least / length_or_more(u);
}

/// The N largest, or any set.
void draw_choice(Draw& draw, const Family& family, Case& output) {
  const std::size_t tokens = tokens_of(output);
  const std::size_t selected = draw_selected(draw, family.selection, tokens);
  if (draw.one_in(2)) {
    output.top_n = selected;
  } else {
    output.set = draw.subset(selected, tokens);
  }
}

}  // namespace

Case drawn_case(DrawCase* draw_it, const InputKind& kind, const Family& family,
                const rc::Random& random, int size) {
  Case output{.kind = kind.name, .normalizer = kind.normalizer.value_or(Normalizer::softmax)};
  Draw draw(random);
  draw_it(draw, family, size, output);
  return output;
}

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
  output.logit_bound = draw_bound(draw, family, output);
}

void draw_pooling_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.gain = draw_gain(draw);
}

void draw_polynomial_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.exponent = draw.index(1, 6);
  const Rational most = largest_absolute(output.logits);
  output.logit_bound = draw.one_in(2) && most > 0
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

void draw_step_norm(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.exponent =
      draw.one_in(2) ? static_cast<std::size_t>(draw.one_of({1, 2, 3, 8})) : draw.index(1, 64);
  const auto largest = std::ranges::max_element(output.logits) - output.logits.begin();
  output.step = any_direction(draw, output.logits.size());
  if (!draw.one_in(3)) return;
  std::ranges::fill(output.step, Rational(0));  // the largest weight's logit alone
  output.step[static_cast<std::size_t>(largest)] = 1;
}

void draw_step_within(Draw& draw, const Family& family, int size, Case& output) {
  draw_step(draw, family, size, output);
  output.lipschitz_constant = draw.power_of_two(-3, 10);
}

void draw_query_keys(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.keys = draw_vectors(draw, family.vectors, tokens, dimension);
  output.query = family.vectors == Vectors::collinear
                     ? output.keys[draw.index(0, tokens - 1)]
                     : draw_vector(draw, dimension, draw.one_of({1, 4}), 6);
  output.temperature = draw_temperature(draw, family.temperature);
  for (Rational& q : output.query) q *= output.temperature / 8;
}

void draw_query_key(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  // One score alone can't be near another.
  std::vector<Rational> sums = dimension == 1 ? draw_vector(draw, 1, 16, 4)
                                              : draw_scaled_logits(draw, family.scores, dimension);
  output.query = draw_vector(draw, dimension, draw.one_of({1, 4}), 6);
  for (std::size_t k = 0; k < dimension; ++k) sums[k] -= output.query[k];
  output.keys = {std::move(sums)};
}

void draw_self_attention(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.embeddings = draw_vectors(draw, family.vectors, tokens, dimension);
  output.temperature = draw_temperature(draw, family.temperature);
  if (family.temperature != TemperatureRange::moderate) return;
  // In proportion to the logits x_i . x_j, so that the weights are neither flat nor all on one.
  Rational longest = 0;
  for (const auto& x : output.embeddings) longest = std::max(longest, dot(x, x));
  if (longest > 0) output.temperature *= longest / 4;
}

void draw_weighted_embeddings(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  draw_scores(draw, family, tokens, output);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.embeddings = draw_vectors(draw, family.vectors, tokens, dimension);
}

void draw_top_n(Draw& draw, const Family& family, int size, Case& output) {
  draw_weighted_embeddings(draw, family, size, output);
  output.top_n = draw_selected(draw, family.selection, output.embeddings.size());
}

void draw_set(Draw& draw, const Family& family, int size, Case& output) {
  draw_weighted_embeddings(draw, family, size, output);
  const std::size_t tokens = output.embeddings.size();
  const std::size_t selected = draw_selected(draw, family.selection, tokens);
  output.set = draw.subset(selected, tokens);
}

void draw_chosen_weights(Draw& draw, const Family& family, int size, Case& output) {
  draw_scores(draw, family, draw.grown(2, family.max_tokens, size), output);
  draw_choice(draw, family, output);
}

void draw_chosen_embeddings(Draw& draw, const Family& family, int size, Case& output) {
  draw_weighted_embeddings(draw, family, size, output);
  draw_choice(draw, family, output);
}

void draw_chosen_along(Draw& draw, const Family& family, int size, Case& output) {
  draw_chosen_embeddings(draw, family, size, output);
  output.direction = draw_axis(draw, family, output.embeddings);
  output.reach_constant = reach_of_turned(output.embeddings, output.direction);
  if (draw.one_in(2)) *output.reach_constant *= draw.power_of_two(-3, -1);
}

void draw_step_embeddings(Draw& draw, const Family& family, int size, Case& output) {
  draw_step(draw, family, size, output);
  output.embeddings = draw_vectors(draw, family.vectors, output.logits.size(),
                                   draw.grown(1, family.max_dimension, size));
}

void draw_pooling_embeddings(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  draw_logits(draw, family, tokens, output);
  output.gain = draw_gain(draw);
  output.embeddings =
      draw_vectors(draw, family.vectors, tokens, draw.grown(1, family.max_dimension, size));
}

void draw_random_set(Draw& draw, const Family& family, int size, Case& output) {
  if (family.sampling == SamplingMode::sampled) {
    const std::size_t tokens = draw.index(kLeastTokensToSample, family.max_tokens);
    draw_scores(draw, family, tokens, output);
    output.embeddings =
        draw_vectors(draw, family.vectors, tokens, draw.index(1, family.max_dimension));
    // More than kMostSets at either end.
    output.top_n = draw.index(7, tokens / 2);
    return;
  }
  // At N = L-1 bounds are attained, and climb the whole ladder.
  const bool any = family.selection == Selection::any && family.max_tokens > 2;
  const bool few = family.selection == Selection::all_but_one || draw.one_in(2);
  const std::size_t most_tokens =
      !few ? family.max_tokens : std::min<std::size_t>(10, family.max_tokens);
  // With two tokens, as with one left out, every bound is attained: other families are for that.
  const std::size_t tokens =
      few && any ? draw.index(4, most_tokens) : draw.grown(2, most_tokens, size);
  draw_scores(draw, family, tokens, output);
  const std::size_t most_coordinates =
      draw.one_in(2) ? family.max_dimension : std::min(kUsualCoordinates, family.max_dimension);
  output.embeddings =
      draw_vectors(draw, family.vectors, tokens, draw.grown(1, most_coordinates, size));
  const std::size_t most_sets = draw.one_in(16) ? kManySets : kUsualSets;
  output.top_n = draw_selected(draw, family.selection, tokens);
  while (sets_of(tokens, output.top_n) > most_sets) --output.top_n;
}

void draw_sink(Draw& draw, const Family& family, int size, Case& output) {
  draw_weighted_embeddings(draw, family, size, output);
  auto& x = output.embeddings;
  output.direction = draw_axis(draw, family, x);
  const bool at_zero = family.vectors == Vectors::zero_and_equal;
  if (!at_zero) x.front() = turned(std::move(x.front()), output.direction);
  output.reach_constant = reach_of_turned(std::span(x).subspan(1), output.direction);
  if (!at_zero && draw.one_in(2)) *output.reach_constant *= draw.power_of_two(-3, -1);
}

void draw_useful_tokens(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  output.logits = draw_scaled_logits(draw, family.scores, tokens);
  const std::size_t useful = draw_selected(draw, family.selection, tokens);
  output.set = draw.subset(useful, tokens);
  output.top_n = draw.one_in(8) ? draw.index(1, useful) : draw.index(useful, tokens);
}

}  // namespace attn::properties
