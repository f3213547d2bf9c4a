#include <algorithm>
#include <functional>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "properties/generators/scores.hpp"

namespace attn::properties {

namespace {

// E[N_s] of Theorem 2 is computed over 2^(N-1) sign patterns for each selected token.
constexpr std::size_t kMostSelected = 14;

/// min_i xi_i = R (A - the largest weight), for delta = 0.
Rational least_xi(const std::vector<Rational>& weights, std::size_t selected,
                  const Rational& sphere_radius) {
  std::vector<Rational> descending = weights;
  std::sort(descending.begin(), descending.end(), std::greater<>());
  Rational sum = 0;
  for (std::size_t i = 1; i < selected; ++i) sum += descending[i];
  return sphere_radius * sum;
}

/// One token is a family of its own, since Theorem 2 says little about it.
std::size_t draw_count(Draw& draw, Selection selection, std::size_t tokens, int size) {
  const std::size_t most = std::min(tokens - 1, kMostSelected);
  if (selection == Selection::any) return draw.grown(std::min<std::size_t>(2, most), most, size);
  return selection == Selection::one ? 1 : most;
}

std::size_t draw_tokens(Draw& draw, const Family& family, int size) {
  if (family.max_tokens == 2) return 2;
  const std::size_t most =
      family.selection == Selection::all_but_one ? kMostSelected + 1 : family.max_tokens;
  return draw.grown(3, most, size);
}

std::size_t draw_dimension(Draw& draw, const Family& family) {
  const bool exact = family.reach != SamplingMode::sampled;
  return static_cast<std::size_t>(exact ? draw.one_of({1, 3}) : draw.one_of({2, 4, 8, 64}));
}

}  // namespace

SphereEmbeddings draw_case(Draw& draw, const SphereEmbeddings&, Radius radius, const Family& family,
                           int size) {
  const bool up_to_xi = radius == Radius::up_to_every_xi;
  const std::size_t tokens = draw_tokens(draw, family, size);
  SphereEmbeddings output;
  output.top_n = draw_count(draw, family.selection, tokens, size);
  // With N >= 2 and no weight of zero every xi_i is positive, so that there is an r below.
  output.weights = shares(draw_parts(draw, family.scores, tokens, up_to_xi));
  output.dimension = draw_dimension(draw, family);
  output.sphere_radius = draw.one_in(2) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
  output.delta = 0;
  const Rational reach = up_to_xi ? least_xi(output.weights, output.top_n, output.sphere_radius)
                                  : output.sphere_radius;
  output.r = reach * dyadic(draw.integer(1, 64), 6);
  return output;
}

}  // namespace attn::properties
