#include <algorithm>
#include <numeric>
#include <utility>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "theory/number/rationals.hpp"

namespace attn::properties {

namespace {

Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), Rational(0));
}

bool is_zero(const std::vector<Rational>& x) {
  return largest_absolute(x) == 0;
}

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

}  // namespace

SinkEmbeddings draw_case(Draw& draw, const SinkEmbeddings&, const Family& family, int size) {
  SinkEmbeddings output;
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
  if (!at_zero && draw.one_in(2)) output.reach *= draw.power_of_two(-3, -1);
  return output;
}

}  // namespace attn::properties
