#include "properties/generators/profile.hpp"

#include <algorithm>
#include <functional>

namespace attn::properties {

namespace {

Gaps gaps_of(const std::vector<Rational>& scores, const Rational& unit) {
  std::vector<std::reference_wrapper<const Rational>> ascending(scores.begin(), scores.end());
  std::sort(ascending.begin(), ascending.end(),
            [](const Rational& a, const Rational& b) { return a < b; });
  Gaps gaps{.unit = unit, .top = ascending.back(), .bottom = ascending.front()};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    const Rational gap = ascending[i].get() - ascending[i - 1].get();
    if (gap == 0) {
      gaps.tied = true;
    } else if (!gaps.least || gap < *gaps.least) {
      gaps.least = gap;
    }
    gaps.lead = gap;
  }
  gaps.widest = gaps.top - gaps.bottom;
  return gaps;
}

}  // namespace

const std::optional<Gaps>& Profile::gaps() const {
  if (!compared_) {
    compared_ = true;
    if (!input_.logits.empty()) {
      gaps_ = gaps_of(input_.logits, input_.temperature);
    } else if (!input_.weights.empty()) {
      gaps_ = gaps_of(input_.weights, Rational(1));
    }
  }
  return gaps_;
}

std::size_t Profile::selected() const {
  return input_.top_n ? *input_.top_n : input_.set.size();
}

const std::vector<std::vector<Rational>>& Profile::vectors() const {
  return input_.embeddings.empty() ? input_.keys : input_.embeddings;
}

}  // namespace attn::properties
