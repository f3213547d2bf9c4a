#include "properties/generators/membership.hpp"

#include <functional>

namespace attn::properties {

namespace {

/// `falling`: the scores' places, the largest score first.
Gaps gaps_of(const std::vector<Rational>& scores, const std::vector<std::size_t>& falling,
             const Rational& unit) {
  const Rational& top = scores[falling.front()];
  const Rational& bottom = scores[falling.back()];
  Gaps gaps{.unit = unit,
            .widest = top - bottom,
            .lead = top - scores[falling.at(1)],
            .top = top,
            .bottom = bottom};
  for (std::size_t i = 1; i < falling.size(); ++i) {
    const Rational gap = scores[falling[i - 1]] - scores[falling[i]];
    if (gap == 0) {
      gaps.tied = true;
    } else if (!gaps.least || gap < *gaps.least) {
      gaps.least = gap;
    }
  }
  return gaps;
}

}  // namespace

const std::optional<Gaps>& CaseFeatures::gaps() const {
  if (!compared_) {
    compared_ = true;
    if (has_logits()) {
      gaps_ = gaps_of(input().logits, context_.score_order(), input().temperature);
    } else if (!input().weights.empty()) {
      gaps_ = gaps_of(input().weights, context_.score_order(), Rational(1));
    }
  }
  return gaps_;
}

bool are_collinear(const Case::Vectors& vectors, const std::vector<Rational>& line) {
  if (is_zero(line)) {
    const auto nonzero = std::ranges::find_if_not(vectors, is_zero);
    return nonzero == vectors.end() || are_collinear(vectors, *nonzero);
  }
  const std::size_t pivot = pivot_of(line);
  return std::ranges::all_of(vectors, [&](const auto& x) { return is_along(x, line, pivot); });
}

std::vector<Rational> falling_sums(const Case& input) {
  if (input.query.empty() || input.keys.size() != 1) return {};
  std::vector<Rational> sums = input.keys.front();
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += input.query[k];
  std::ranges::sort(sums, std::greater<>());
  return sums;
}

}  // namespace attn::properties
