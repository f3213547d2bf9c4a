#include <algorithm>

#include "gpt2_check/heads/set_terms.hpp"

namespace attn::gpt2 {

std::size_t SetKernel::alike(const RowWeights& weights, std::size_t token) const {
  return geometry_->alike[static_cast<std::size_t>(weights.first()) + token];
}

std::optional<std::size_t> SetKernel::shared_embedding(
    const RowWeights& weights, std::span<const std::size_t> selected) const {
  const std::size_t first = alike(weights, selected.front());
  const bool is_shared =
      std::ranges::all_of(selected, [&](std::size_t j) { return alike(weights, j) == first; });
  return is_shared ? std::optional(first) : std::nullopt;
}

bool SetKernel::keeps_centre(const RowWeights& weights, std::span<const std::size_t> selected,
                             const ErrorDouble& mass) const {
  const std::size_t n = selected.size();
  if (n + 1 >= weights.tokens() || !weights.certainly_top(n + 1) || !(mass.lower() > 0))
    return false;
  return shared_embedding(weights, selected) == alike(weights, weights.order()[n]);
}

bool SetKernel::attains_radius(const SetPass& pass, const RowWeights& weights,
                               std::span<const std::size_t> selected,
                               const ErrorDouble& mass) const {
  const auto shared = shared_embedding(weights, selected);
  if (!shared) return false;
  const auto contribution = [&](std::size_t i) { return weights.at(i) * pass.length_at(i); };
  double ahead = 0;  // the largest a_i ||x_i|| that points as s does is at least that
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < pass.tokens; ++i) {
    if (pass.outside[i] == 0) continue;
    const bool is_ahead = alike(weights, i) == *shared && weights.at(i).upper() <= mass.lower();
    if (is_ahead) {
      ahead = std::max(ahead, contribution(i).lower());
    } else {
      others.push_back(i);
    }
  }
  return std::ranges::all_of(others,
                             [&](std::size_t i) { return contribution(i).upper() < ahead; });
}

}  // namespace attn::gpt2
