#include <numeric>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"

namespace attn::properties {

namespace {

std::vector<std::size_t> draw_permutation(Draw& draw, std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < n; ++i) std::swap(order[i], order[draw.index(i, n - 1)]);
  return order;
}

}  // namespace

TransportPlan draw_case(Draw& draw, const TransportPlan&, const Family& family, int size) {
  TransportPlan output;
  output.temperature = draw_temperature(draw, family.heat);
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
  return output;
}

}  // namespace attn::properties
