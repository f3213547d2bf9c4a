#include "gpt2_check/experiments/mass.hpp"

#include <algorithm>

namespace attn::gpt2 {

LeftOut left_out(const RowWeights& weights, std::size_t n) {
  const std::span<const std::size_t> order = weights.order();
  double outside = 0, next = 0;
  for (const std::size_t i : order.subspan(n)) {
    outside += weights.values()[i];
    next = std::max(next, weights.values()[i]);
  }
  const auto chosen = static_cast<double>(n);
  const double beside = static_cast<double>(order.size() - n) * next;
  return {.weight = outside, .bound = beside / (beside + chosen * weights.values()[order[n - 1]])};
}

MassMeasure::MassMeasure(std::span<const std::size_t> counts) {
  constexpr double kShares[] = {0.01, 0.05, 0.1};
  for (const std::size_t n : counts) {
    for (const double share : kShares) {
      points_.push_back({.n = static_cast<double>(n), .left_out = share});
    }
  }
}

void MassMeasure::add(const RowWeights& weights) {
  LeftOut found;
  double n = 0;
  for (report::MassPoint& point : points_) {
    if (!(point.n < static_cast<double>(weights.tokens()))) continue;
    if (point.n != n) {
      n = point.n;
      found = left_out(weights, static_cast<std::size_t>(n));
    }
    const bool is_certified = found.bound <= point.left_out;
    ++point.rows;
    point.certified_rows += is_certified ? 1 : 0;
    // The bound is never below the weight but by rounding.
    point.true_rows += is_certified || found.weight <= point.left_out ? 1 : 0;
  }
}

}  // namespace attn::gpt2
