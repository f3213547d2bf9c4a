#include "properties/generators/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::properties {

namespace {

/// A score beside its double. Rounding keeps the order of two scores, but may make them equal.
struct Score {
  double near;
  const Rational* exact;
};

Gaps gaps_of(const std::vector<Rational>& scores, const Rational& unit) {
  std::vector<Score> ascending;
  ascending.reserve(scores.size());
  for (const Rational& score : scores) ascending.push_back({score.nearest(), &score});
  std::sort(ascending.begin(), ascending.end(), [](const Score& a, const Score& b) {
    return a.near != b.near ? a.near < b.near : *a.exact < *b.exact;
  });
  const Score& bottom = ascending.front();
  const Score& top = ascending.back();
  Gaps gaps{.unit = unit,
            .widest = *top.exact - *bottom.exact,
            .lead = *top.exact - *ascending[ascending.size() - 2].exact,
            .top = *top.exact,
            .bottom = *bottom.exact};
  // Only gaps that may be the least are worth an exact subtraction.
  const double rounding = 0x1p-50 * std::max(std::abs(bottom.near), std::abs(top.near));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    const double near = ascending[i].near - ascending[i - 1].near;
    if (near > least + rounding) continue;
    if (*ascending[i].exact == *ascending[i - 1].exact) {
      gaps.tied = true;
      continue;
    }
    const Rational gap = *ascending[i].exact - *ascending[i - 1].exact;
    if (!gaps.least || gap < *gaps.least) gaps.least = gap;
    least = std::min(least, near);
  }
  return gaps;
}

template <class T>
const std::vector<T>& or_empty(const std::vector<T>* list) {
  static const std::vector<T> empty;
  return list == nullptr ? empty : *list;
}

}  // namespace

const std::vector<Rational>& Profile::logits() const {
  return or_empty(find_value<case_field::logits>(input_));
}

const std::vector<Rational>& Profile::weights() const {
  return or_empty(find_value<case_field::weights>(input_));
}

const Rational& Profile::temperature() const {
  static const Rational one(1);
  const Rational* const temperature = find_value<case_field::temperature>(input_);
  return temperature == nullptr ? one : *temperature;
}

const std::optional<Gaps>& Profile::gaps() const {
  if (!compared_) {
    compared_ = true;
    if (!logits().empty()) {
      gaps_ = gaps_of(logits(), temperature());
    } else if (!weights().empty()) {
      gaps_ = gaps_of(weights(), Rational(1));
    }
  }
  return gaps_;
}

std::size_t Profile::selected() const {
  const std::size_t* const top_n = find_value<case_field::top_n>(input_);
  return top_n == nullptr ? or_empty(find_value<case_field::set>(input_)).size() : *top_n;
}

const std::vector<std::vector<Rational>>& Profile::vectors() const {
  const auto* const embeddings = find_value<case_field::embeddings>(input_);
  return or_empty(embeddings == nullptr ? find_value<case_field::keys>(input_) : embeddings);
}

}  // namespace attn::properties
