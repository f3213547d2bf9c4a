#include "properties/generators/family.hpp"

#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "properties/generators/draw.hpp"
#include "properties/generators/membership.hpp"
#include "properties/generators/scores.hpp"
#include "properties/generators/smaller.hpp"

namespace attn::properties {

namespace {

// A bound that is attained climbs the whole ladder, so families made of attained bounds stay small.
constexpr std::size_t kAttainedTokens = 12;
constexpr std::size_t kAttainedDimension = 4;

// E[N_s] of Theorem 2 is computed over 2^(N-1) sign patterns for each selected token.
constexpr std::size_t kMostSelectedOnSphere = 14;

constexpr Family kLogitFamilies[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = Scores::near_ties, .contains = has_near_tie},
    {.name = "exact_ties",
     .scores = Scores::exact_ties,
     .max_tokens = kAttainedTokens,
     .contains = has_exact_tie},
    {.name = "one_dominant", .scores = Scores::one_dominant, .contains = has_dominant_token},
    {.name = "flat", .scores = Scores::flat, .max_tokens = kAttainedTokens, .contains = is_flat},
    {.name = "huge_gaps", .scores = Scores::huge_gaps, .contains = has_huge_gap},
    {.name = "cancelling", .scores = Scores::opposite_pairs, .contains = logits_cancel},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature", .heat = Heat::tiny, .contains = is_cold},
    {.name = "large_temperature", .heat = Heat::large, .contains = is_hot},
};

constexpr Family kEmbeddingFamilies[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = Scores::near_ties, .contains = has_near_tie},
    {.name = "exact_ties", .scores = Scores::exact_ties, .contains = has_exact_tie},
    {.name = "one_dominant", .scores = Scores::one_dominant, .contains = has_dominant_token},
    {.name = "flat", .scores = Scores::flat, .contains = is_flat},
    {.name = "huge_gaps", .scores = Scores::huge_gaps, .contains = has_huge_gap},
    {.name = "equal_embeddings",
     .vectors = Vectors::equal,
     .max_tokens = kAttainedTokens,
     .max_dimension = kAttainedDimension,
     .contains = has_equal_embeddings},
    {.name = "collinear", .vectors = Vectors::collinear, .contains = has_collinear_embeddings},
    {.name = "cancelling",
     .scores = Scores::equal_pairs,
     .vectors = Vectors::opposite_pairs,
     .contains = embeddings_cancel},
    {.name = "n_is_one", .selection = Selection::one, .contains = selects_one},
    {.name = "n_is_all_but_one",
     .selection = Selection::all_but_one,
     .contains = selects_all_but_one},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature", .heat = Heat::tiny, .contains = is_cold},
    {.name = "large_temperature", .heat = Heat::large, .contains = is_hot},
};

// The last two select one token: every xi_i is 0, and no r > 0 lies below.
constexpr Family kSphereFamilies[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = Scores::near_ties, .contains = has_near_tie},
    {.name = "exact_ties", .scores = Scores::exact_ties, .contains = has_exact_tie},
    {.name = "one_dominant", .scores = Scores::one_dominant, .contains = has_dominant_token},
    {.name = "flat", .scores = Scores::flat, .contains = is_flat},
    {.name = "huge_gaps", .scores = Scores::huge_gaps, .contains = has_huge_gap},
    {.name = "n_is_all_but_one",
     .selection = Selection::all_but_one,
     .contains = selects_all_but_one},
    {.name = "n_is_one", .selection = Selection::one, .contains = selects_one},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
};
constexpr std::size_t kSphereFamiliesThatSelectOne = 2;

Rational draw_temperature(Draw& draw, Heat heat) {
  switch (heat) {
    case Heat::moderate:
      return draw.one_in(4) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
    case Heat::tiny:
      return dyadic(1, static_cast<unsigned>(draw.integer(10, 30)));
    case Heat::large:
      return Rational(std::int64_t{1} << draw.integer(10, 30));
  }
  throw std::logic_error("a heat without a temperature");
}

void draw_logits(Draw& draw, const Family& family, std::size_t tokens, Case& output) {
  output.temperature = draw_temperature(draw, family.heat);
  output.logits = draw_scaled_logits(draw, family.scores, tokens);
  for (Rational& logit : output.logits) logit *= output.temperature;
}

Normalizer draw_normalizer(Draw& draw) {
  constexpr Normalizer kAll[] = {Normalizer::softmax, Normalizer::sigmoid, Normalizer::softplus,
                                 Normalizer::taylor};
  return kAll[draw.index(0, 3)];
}

std::vector<std::vector<Rational>> draw_embeddings(Draw& draw, Vectors vectors, std::size_t tokens,
                                                   std::size_t dimension) {
  const auto bits = static_cast<unsigned>(draw.integer(0, 12));
  const std::int64_t bound = draw.one_of({1, 4, 16});
  const auto vector = [&] {
    std::vector<Rational> x(dimension);
    std::generate(x.begin(), x.end(), [&] { return draw.dyadic(bound, bits); });
    return x;
  };
  const auto times = [](const Rational& factor, std::vector<Rational> x) {
    for (Rational& coordinate : x) coordinate *= factor;
    return x;
  };
  std::vector<std::vector<Rational>> embeddings(tokens);
  switch (vectors) {
    case Vectors::generic:
      for (auto& x : embeddings) x = vector();
      break;
    case Vectors::equal:
      embeddings.assign(tokens, vector());
      break;
    case Vectors::collinear: {
      const std::vector<Rational> line = vector();
      for (auto& x : embeddings) x = times(draw.dyadic(4, 3), line);
      break;
    }
    case Vectors::opposite_pairs:
      embeddings.assign(tokens, std::vector<Rational>(dimension));
      for (std::size_t i = 0; i + 1 < tokens; i += 2) {
        embeddings[i] = vector();
        embeddings[i + 1] = times(-1, embeddings[i]);
      }
      break;
  }
  return embeddings;
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

Case draw_logit_case(Draw& draw, const Given& given, const Family& family, int size) {
  Case output;
  draw_logits(draw, family, draw.grown(2, family.max_tokens, size), output);
  if (given.shape == Shape::logits) output.normalizer = draw_normalizer(draw);
  return output;
}

Case draw_embedding_case(Draw& draw, const Given& given, const Family& family, int size) {
  Case output;
  const std::size_t tokens = draw.grown(2, family.max_tokens, size);
  if (family.heat == Heat::moderate && draw.one_in(2)) {
    output.weights = shares(draw_parts(draw, family.scores, tokens, false));
  } else {
    draw_logits(draw, family, tokens, output);
    if (draw.one_in(4)) output.normalizer = draw_normalizer(draw);
  }
  const std::size_t dimension = draw.grown(1, family.max_dimension, size);
  output.embeddings = draw_embeddings(draw, family.vectors, tokens, dimension);
  const std::size_t selected = draw_selected(draw, family.selection, tokens);
  if (given.shape == Shape::set_embeddings) {
    output.set = draw.subset(selected, tokens);
  } else {
    output.top_n = selected;
  }
  return output;
}

/// min_i xi_i = R (A - the largest weight), for delta = 0.
Rational least_xi(const std::vector<Rational>& weights, std::size_t selected,
                  const Rational& sphere_radius) {
  std::vector<Rational> descending = weights;
  std::sort(descending.begin(), descending.end(), std::greater<>());
  Rational sum = 0;
  for (std::size_t i = 1; i < selected; ++i) sum += descending[i];
  return sphere_radius * sum;
}

/// N for the sphere: one token is a family of its own, since Theorem 2 says little about it.
std::size_t draw_selected_on_sphere(Draw& draw, Selection selection, std::size_t tokens, int size) {
  const std::size_t most = std::min(tokens - 1, kMostSelectedOnSphere);
  if (selection == Selection::any) return draw.grown(std::min<std::size_t>(2, most), most, size);
  return selection == Selection::one ? 1 : most;
}

std::size_t draw_tokens_on_sphere(Draw& draw, const Family& family, int size) {
  if (family.max_tokens == 2) return 2;
  const std::size_t most =
      family.selection == Selection::all_but_one ? kMostSelectedOnSphere + 1 : family.max_tokens;
  return draw.grown(3, most, size);
}

Case draw_sphere_case(Draw& draw, const Given& given, const Family& family, int size) {
  const bool up_to_xi = given.radius == Given::Radius::up_to_every_xi;
  const std::size_t tokens = draw_tokens_on_sphere(draw, family, size);
  Case output;
  output.top_n = draw_selected_on_sphere(draw, family.selection, tokens, size);
  // With N >= 2 and no weight of zero every xi_i is positive, so that there is an r below.
  output.weights = shares(draw_parts(draw, family.scores, tokens, up_to_xi));
  output.dimension = draw.one_of({1, 3});
  output.sphere_radius = draw.one_in(2) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
  output.delta = Rational(0);
  const Rational reach = up_to_xi ? least_xi(output.weights, *output.top_n, *output.sphere_radius)
                                  : *output.sphere_radius;
  output.r = reach * dyadic(draw.integer(1, 64), 6);
  return output;
}

Case draw_case(Draw& draw, const Given& given, const Family& family, int size) {
  switch (given.shape) {
    case Shape::logits:
    case Shape::logits_softmax:
      return draw_logit_case(draw, given, family, size);
    case Shape::top_n_embeddings:
    case Shape::set_embeddings:
      return draw_embedding_case(draw, given, family, size);
    case Shape::random_embeddings:
      return draw_sphere_case(draw, given, family, size);
  }
  throw std::logic_error("a shape without a generator");
}

}  // namespace

std::span<const Family> families_of(const Given& given) {
  switch (given.shape) {
    case Shape::logits:
    case Shape::logits_softmax:
      return kLogitFamilies;
    case Shape::top_n_embeddings:
    case Shape::set_embeddings:
      return kEmbeddingFamilies;
    case Shape::random_embeddings: {
      const std::span<const Family> all = kSphereFamilies;
      return given.radius == Given::Radius::any
                 ? all
                 : all.first(all.size() - kSphereFamiliesThatSelectOne);
    }
  }
  throw std::logic_error("a shape without families");
}

rc::Gen<Case> cases(const Given& given, const Family& family) {
  return [given, family](const rc::Random& random, int size) {
    Draw draw(random);
    return rc::shrinkable::shrinkRecur(draw_case(draw, given, family, size), &smaller_cases);
  };
}

}  // namespace attn::properties
