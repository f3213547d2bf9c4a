#include <algorithm>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "properties/generators/scores.hpp"
#include "theory/attention/sampling.hpp"

namespace attn::properties {

namespace {

constexpr std::size_t kMillion = 1'000'000;
constexpr std::size_t kLong = 1000;

// An expectation adds up every set, in intervals where the bound is attained: usually a few hundred
// sets, now and then thousands.
constexpr std::size_t kUsualSets = 300;
constexpr std::size_t kManySets = 3000;
constexpr std::size_t kUsualCoordinates = 8;
constexpr std::size_t kLeastTokensToSample = 18;  // C(18, 7) is above kMostSets

/// Weights or logits with a normaliser. Vectors that cancel get weights: both sides of Theorem 1
/// may then vanish, which no enclosure shows of weights that are not rational.
template <class Embeddings>
void draw_scores(Draw& draw, const Family& family, std::size_t tokens, Embeddings& output) {
  const bool other = family.reach == Reach::other_normalizers;
  const bool cancels = family.vectors == Vectors::opposite_pairs;
  if (family.heat == Heat::moderate && !other && (cancels || draw.one_in(2))) {
    output.weights = shares(draw_parts(draw, family.scores, tokens, false));
    return;
  }
  draw_logits(draw, family, tokens, output);
  if (other || draw.one_in(2)) {
    output.normalizer = draw_normalizer(draw, &NormalizerTraits::probability, family);
  }
}

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

TopNEmbeddings draw_case(Draw& draw, const TopNEmbeddings&, const Family& family, int size) {
  auto output = draw_tokens<TopNEmbeddings>(draw, family, size);
  output.top_n = draw_selected(draw, family.selection, output.tokens());
  return output;
}

SetEmbeddings draw_case(Draw& draw, const SetEmbeddings&, const Family& family, int size) {
  auto output = draw_tokens<SetEmbeddings>(draw, family, size);
  const std::size_t selected = draw_selected(draw, family.selection, output.tokens());
  output.set = draw.subset(selected, output.tokens());
  return output;
}

RandomSetEmbeddings draw_case(Draw& draw, const RandomSetEmbeddings&, const Family& family,
                              int size) {
  RandomSetEmbeddings output;
  if (family.reach == Reach::sampled) {
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
  output.top_n = with_few_sets(draw_selected(draw, family.selection, tokens), tokens,
                               draw.one_in(16) ? kManySets : kUsualSets);
  return output;
}

EqualTokens draw_case(Draw& draw, const EqualTokens&, const Family& family, int size) {
  EqualTokens output;
  // Of every order of magnitude, both ends of it included.
  const auto up_to_half = [&](std::size_t least, std::int64_t most_bits) {
    return draw.index(least, std::max(least, std::size_t{1} << draw.integer(1, most_bits)));
  };
  switch (family.length) {
    case Length::any:
      output.length = draw.grown(2, family.max_tokens, size);
      output.top_n = draw_selected(draw, family.selection, output.length);
      break;
    case Length::long_beside_n:
      output.top_n = family.selection == Selection::one ? 1 : up_to_half(2, 9);
      output.length = draw.index(kLong * output.top_n, kMillion);
      break;
    case Length::long_alone:
      output.length = up_to_half(kLong, 19);
      output.top_n = draw_selected(draw, family.selection, output.length);
      break;
    case Length::million:
      output.length = kMillion;
      output.top_n = draw.one_in(2) ? up_to_half(1, 9) : draw.index(1, kMillion - 1);
      break;
  }
  output.embeddings = draw_vectors(draw, Vectors::equal, 1, draw.grown(1, 64, size));
  auto& x = output.embeddings.front();
  if (largest_size(x) == 0) x.front() = 1;
  // Not so small that the limit would have to be nearer than this L can bring it.
  const Rational nearness(kLong * output.top_n, output.length);
  output.epsilon = draw.power_of_two(-20, 4);
  if (family.length == Length::long_beside_n && output.epsilon < nearness) {
    output.epsilon = nearness;
  }
  return output;
}

}  // namespace attn::properties
