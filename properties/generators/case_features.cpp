#include "properties/generators/case_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
  // Only gaps that may be the least are worth an exact subtraction.
  const double rounding = 0x1p-50 * std::max(std::abs(bottom.nearest()), std::abs(top.nearest()));
  double least = std::numeric_limits<double>::infinity();
  double above = top.nearest();
  for (std::size_t i = 1; i < falling.size(); ++i) {
    const Rational& score = scores[falling[i]];
    const double here = score.nearest();
    const double near = std::exchange(above, here) - here;
    if (near > least + rounding) continue;
    const Rational& larger = scores[falling[i - 1]];
    if (larger == score) {
      gaps.tied = true;
      continue;
    }
    const Rational gap = larger - score;
    if (!gaps.least || gap < *gaps.least) gaps.least = gap;
    least = std::min(least, near);
  }
  return gaps;
}

}  // namespace

const std::optional<Gaps>& CaseFeatures::gaps() const {
  if (!compared_) {
    compared_ = true;
    if (!input().logits.empty()) {
      gaps_ = gaps_of(input().logits, problem_.score_order(), input().temperature);
    } else if (!input().weights.empty()) {
      gaps_ = gaps_of(input().weights, problem_.score_order(), Rational(1));
    }
  }
  return gaps_;
}

}  // namespace attn::properties
