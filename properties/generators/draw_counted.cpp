#include <algorithm>
#include <numeric>
#include <utility>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "theory/number/rationals.hpp"

/// What is counted and not listed, up to 10^6 tokens; the sphere of Theorem 2; competitors; and the
/// plans of Sinkhorn's scaling.
namespace attn::properties {
namespace {

/// A number from `least` to 2^most_bits, of every order of magnitude, both ends of it included.
std::size_t draw_magnitude(Draw& draw, std::size_t least, std::int64_t most_bits) {
  return draw.index(least, std::max(least, std::size_t{1} << draw.integer(1, most_bits)));
}

std::size_t draw_even_length(Draw& draw, const Family& family, int size) {
  switch (family.length) {
    case Length::any:
      return 2 * draw.grown(1, family.max_tokens / 2, size);
    case Length::million:
      return kMillion;
    case Length::long_beside_n:
    case Length::long_alone:
      return 2 * draw_magnitude(draw, kLong / 2, 18);
  }
  throw std::logic_error("a length of no family");
}

// E[N_s] of Theorem 2 is computed over 2^(N-1) sign patterns for each selected token.
constexpr std::size_t kMostSelected = 14;

/// One token is a family of its own, since Theorem 2 says little about it.
std::size_t sphere_count(Draw& draw, Selection selection, std::size_t tokens, int size) {
  const std::size_t most = std::min(tokens - 1, kMostSelected);
  if (selection == Selection::any) return draw.grown(std::min<std::size_t>(2, most), most, size);
  return selection == Selection::one ? 1 : most;
}

std::size_t sphere_tokens(Draw& draw, const Family& family, int size) {
  if (family.max_tokens == 2) return 2;
  const std::size_t most =
      family.selection == Selection::all_but_one ? kMostSelected + 1 : family.max_tokens;
  return draw.grown(3, most, size);
}

std::size_t sphere_dimension(Draw& draw, const Family& family) {
  const bool exact = family.sampling != SamplingMode::sampled;
  return static_cast<std::size_t>(exact ? draw.one_of({1, 3}) : draw.one_of({2, 4, 8, 64}));
}

std::vector<std::size_t> draw_permutation(Draw& draw, std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < n; ++i) std::swap(order[i], order[draw.index(i, n - 1)]);
  return order;
}

}  // namespace

void draw_equal_tokens(Draw& draw, const Family& family, int size, Case& output) {
  switch (family.length) {
    case Length::any:
      output.length = draw.grown(2, family.max_tokens, size);
      output.top_n = draw_selected(draw, family.selection, output.length);
      break;
    case Length::long_beside_n:
      output.top_n = family.selection == Selection::one ? 1 : draw_magnitude(draw, 2, 9);
      output.length = draw.index(kLong * output.top_n, kMillion);
      break;
    case Length::long_alone:
      output.length = draw_magnitude(draw, kLong, 19);
      output.top_n = draw_selected(draw, family.selection, output.length);
      break;
    case Length::million:
      output.length = kMillion;
      output.top_n = draw.one_in(2) ? draw_magnitude(draw, 1, 9) : draw.index(1, kMillion - 1);
      break;
  }
  output.embeddings = draw_vectors(draw, Vectors::equal, 1, draw.grown(1, 64, size));
  auto& x = output.embeddings.front();
  if (largest_absolute(x) == 0) x.front() = 1;
  // Not so small that the limit would have to be nearer than this L can bring it.
  const Rational nearness(kLong * output.top_n, output.length);
  output.epsilon = draw.power_of_two(-20, 4);
  if (family.length == Length::long_beside_n && output.epsilon < nearness) {
    output.epsilon = nearness;
  }
}

void draw_two_levels(Draw& draw, const Family& family, int size, Case& output) {
  output.length = draw_even_length(draw, family, size);
  output.temperature = draw_temperature(draw, family.temperature);
  output.spread = dyadic(draw.integer(1, 128), 4) * output.temperature;
  output.epsilon = draw.power_of_two(-10, 0);
}

void draw_sphere(Draw& draw, const Family& family, int size, Case& output) {
  const std::size_t tokens = sphere_tokens(draw, family, size);
  output.top_n = sphere_count(draw, family.selection, tokens, size);
  output.weights = shares(draw_parts(draw, family.scores, tokens));
  output.dimension = sphere_dimension(draw, family);
  output.sphere_radius = draw.one_in(2) ? Rational(1) : dyadic(draw.integer(1, 64), 3);
  output.delta = 0;
  output.r = *output.sphere_radius * dyadic(draw.integer(1, 64), 6);
}

void draw_competitors(Draw& draw, const Family& family, int size, Case& output) {
  output.length = draw.grown(1, family.max_tokens, size);
  const bool rare = draw.one_in(2);
  output.probability = rare ? Rational(1, draw.integer(2, 256)) : dyadic(draw.integer(1, 64), 6);
  output.delta = draw.one_in(2) ? dyadic(draw.integer(1, 63), 6) : draw.power_of_two(-20, -1);
}

void draw_plan(Draw& draw, const Family& family, int size, Case& output) {
  output.temperature = draw_temperature(draw, family.temperature);
  const std::size_t n = draw.grown(2, family.max_tokens, size);
  // The flat matrix and permutations, mixed by integer parts: positive, rows and columns of sum 1.
  std::vector<std::vector<std::int64_t>> parts(n, std::vector<std::int64_t>(n, 1));
  auto total = static_cast<std::int64_t>(n);
  const auto mix_in = [&](std::int64_t part) {
    const std::vector<std::size_t> order = draw_permutation(draw, n);
    for (std::size_t i = 0; i < n; ++i) parts[i][order[i]] += part;
    total += part;
  };
  if (family.scores == ScorePattern::one_dominant) {
    mix_in(10 * total * draw.integer(1, 100));
  } else if (family.scores != ScorePattern::flat) {
    for (std::size_t k = draw.index(1, n); k > 0; --k) mix_in(draw.integer(1, 100));
  }
  for (const auto& row : parts) {
    auto& out = output.plan.emplace_back();
    for (const std::int64_t part : row) out.emplace_back(part, total);
  }
}

}  // namespace attn::properties
