#include <algorithm>
#include <numeric>
#include <utility>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "properties/generators/scores.hpp"
#include "theory/attention/sampling.hpp"

namespace attn::properties {

namespace {

// An expectation adds up every set, in intervals where the bound is attained: usually a few hundred
// sets, now and then thousands.
constexpr std::size_t kUsualSets = 300;
constexpr std::size_t kManySets = 3000;
constexpr std::size_t kUsualCoordinates = 8;
constexpr std::size_t kLeastTokensToSample = 18;  // C(18, 7) is above kMostSets

/// Scores and embeddings.
template <class Embeddings>
Embeddings draw_tokens(Draw& draw, const Family& family, int size) {
  Embeddings output;
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  draw_scores(draw, family, tokens, output);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.embeddings = draw_vectors(draw, family.vectors, tokens, dimension);
  return output;
}

/// `count`, or the next N below it with at most `most` sets.
std::size_t with_few_sets(std::size_t count, std::size_t tokens, std::size_t most) {
  while (sets_of(tokens, count) > most) --count;
  return count;
}

}  // namespace

QueryKeys draw_case(Draw& draw, const QueryKeys&, const Family& family, int size) {
  QueryKeys output;
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.keys = draw_vectors(draw, family.vectors, tokens, dimension);
  output.query = family.vectors == Vectors::collinear
                     ? output.keys[draw.index(0, tokens - 1)]
                     : draw_vector(draw, dimension, draw.one_of({1, 4}), 6);
  output.temperature = draw_temperature(draw, family.heat);
  for (Rational& q : output.query) q *= output.temperature / 8;
  return output;
}

QueryKey draw_case(Draw& draw, const QueryKey&, const Family& family, int size) {
  QueryKey output;
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  // One score alone can't be near another.
  std::vector<Rational> sums = dimension == 1 ? draw_vector(draw, 1, 16, 4)
                                              : draw_scaled_logits(draw, family.scores, dimension);
  output.query = draw_vector(draw, dimension, draw.one_of({1, 4}), 6);
  for (std::size_t k = 0; k < dimension; ++k) sums[k] -= output.query[k];
  output.keys = {std::move(sums)};
  return output;
}

SelfAttention draw_case(Draw& draw, const SelfAttention&, const Family& family, int size) {
  SelfAttention output;
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.embeddings = draw_vectors(draw, family.vectors, tokens, dimension);
  output.temperature = draw_temperature(draw, family.heat);
  if (family.heat != TemperatureRange::moderate) return output;
  // In proportion to the logits x_i . x_j, so that the weights are neither flat nor all on one.
  Rational longest = 0;
  for (const auto& x : output.embeddings) {
    longest = std::max(longest, std::inner_product(x.begin(), x.end(), x.begin(), Rational(0)));
  }
  if (longest > 0) output.temperature *= longest / 4;
  return output;
}

WeightedEmbeddings draw_case(Draw& draw, const WeightedEmbeddings&, const Family& family,
                             int size) {
  return draw_tokens<WeightedEmbeddings>(draw, family, size);
}

PoolingEmbeddings draw_case(Draw& draw, const PoolingEmbeddings&, const Family& family, int size) {
  PoolingEmbeddings output;
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  draw_logits(draw, family, tokens, output);
  output.gain = draw_gain(draw);
  output.embeddings =
      draw_vectors(draw, family.vectors, tokens, draw.grown(1, family.max_dimension, size));
  return output;
}

TopNEmbeddings draw_case(Draw& draw, const TopNEmbeddings&, const Family& family, int size) {
  auto output = draw_tokens<TopNEmbeddings>(draw, family, size);
  output.top_n = draw_selected(draw, family.selection, tokens_of(output));
  return output;
}

SetEmbeddings draw_case(Draw& draw, const SetEmbeddings&, const Family& family, int size) {
  auto output = draw_tokens<SetEmbeddings>(draw, family, size);
  const std::size_t selected = draw_selected(draw, family.selection, tokens_of(output));
  output.set = draw.subset(selected, tokens_of(output));
  return output;
}

RandomSetEmbeddings draw_case(Draw& draw, const RandomSetEmbeddings&, const Family& family,
                              int size) {
  RandomSetEmbeddings output;
  if (family.reach == SamplingMode::sampled) {
    const std::size_t tokens = draw.index(kLeastTokensToSample, family.max_tokens);
    draw_scores(draw, family, tokens, output);
    output.embeddings =
        draw_vectors(draw, family.vectors, tokens, draw.index(1, family.max_dimension));
    // From a ninth of the tokens or 7 to the half: more than kMostSets at either end.
    output.top_n = draw.index(std::max<std::size_t>(7, tokens / 9), tokens / 2);
    return output;
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
  return output;
}

}  // namespace attn::properties
