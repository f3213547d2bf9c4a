#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/number/rationals.hpp"

namespace attn::properties {

namespace {

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

/// `count`, or the next N below it with at most `most` sets.
std::size_t with_few_sets(std::size_t count, std::size_t tokens, std::size_t most) {
  while (sets_of(tokens, count) > most) --count;
  return count;
}

}  // namespace

void draw_query_keys(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.keys = draw_vectors(draw, family.vectors, tokens, dimension);
  output.query = family.vectors == Vectors::collinear
                     ? output.keys[draw.index(0, tokens - 1)]
                     : draw_vector(draw, dimension, draw.one_of({1, 4}), 6);
  output.temperature = draw_temperature(draw, family.heat);
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
  output.temperature = draw_temperature(draw, family.heat);
  if (family.heat != TemperatureRange::moderate) return;
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

namespace {

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
  std::optional<Rational> least;
  for (auto& x : output.embeddings) {
    x = turned(std::move(x), output.direction);
    const Rational along = dot(output.direction, x);
    if (!least || along < *least) least = along;
  }
  output.reach = *least / length_or_more(output.direction);
  if (draw.one_in(2)) *output.reach *= draw.power_of_two(-3, -1);
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
  if (family.reach == SamplingMode::sampled) {
    const std::size_t tokens = draw.index(kLeastTokensToSample, family.max_tokens);
    draw_scores(draw, family, tokens, output);
    output.embeddings =
        draw_vectors(draw, family.vectors, tokens, draw.index(1, family.max_dimension));
    // From a ninth of the tokens or 7 to the half: more than kMostSets at either end.
    output.top_n = draw.index(std::max<std::size_t>(7, tokens / 9), tokens / 2);
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
  // By itself: compilers differ in which argument of a call they draw first.
  const std::size_t most_sets = draw.one_in(16) ? kManySets : kUsualSets;
  output.top_n = with_few_sets(draw_selected(draw, family.selection, tokens), tokens, most_sets);
}

void draw_sink(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  draw_scores(draw, family, tokens, output);
  auto& x = output.embeddings;
  x = draw_vectors(draw, family.vectors, tokens, draw.grown(1, family.max_dimension, size));
  output.direction = draw_axis(draw, family, x);
  const bool at_zero = family.vectors == Vectors::zero_and_equal;
  Rational least = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    if (i == 0 && at_zero) continue;
    x[i] = turned(std::move(x[i]), output.direction);
    const Rational along = dot(output.direction, x[i]);
    if (i == 1 || (i > 1 && along < least)) least = along;
  }
  output.reach = least / length_or_more(output.direction);
  if (!at_zero && draw.one_in(2)) *output.reach *= draw.power_of_two(-3, -1);
}

}  // namespace attn::properties
