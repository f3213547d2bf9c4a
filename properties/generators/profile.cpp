#include "properties/generators/profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace attn::properties {

namespace {

/// A score beside its double. Rounding keeps the order of two scores, but may make them equal.
struct Score {
  double near;
  const Rational* exact;

  friend bool operator<(const Score& a, const Score& b) {
    return a.near != b.near ? a.near < b.near : *a.exact < *b.exact;
  }
};

double near(const Score& score) {
  return score.near;
}
const Rational& exactly(const Score& score) {
  return *score.exact;
}

// Scores that are doubles are their own.
double near(double score) {
  return score;
}
Rational exactly(double score) {
  return Rational(score);
}

template <class S>
Gaps gaps_between(std::vector<S> scores, const Rational& unit) {
  std::ranges::sort(scores, std::less<>());
  const Rational bottom = exactly(scores.front());
  const Rational top = exactly(scores.back());
  Gaps gaps{.unit = unit,
            .widest = top - bottom,
            .lead = top - exactly(scores[scores.size() - 2]),
            .top = top,
            .bottom = bottom};
  // Only gaps that may be the least are worth an exact subtraction.
  const double rounding =
      0x1p-50 * std::max(std::abs(near(scores.front())), std::abs(near(scores.back())));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < scores.size(); ++i) {
    const double apart = near(scores[i]) - near(scores[i - 1]);
    if (apart > least + rounding) continue;
    const Rational gap = exactly(scores[i]) - exactly(scores[i - 1]);
    if (gap == 0) {
      gaps.tied = true;
      continue;
    }
    if (!gaps.least || gap < *gaps.least) gaps.least = gap;
    least = std::min(least, apart);
  }
  return gaps;
}

Gaps gaps_of(const std::vector<Rational>& scores, const Rational& unit) {
  if (std::ranges::all_of(scores, &Rational::is_double)) {
    std::vector<double> doubles;
    doubles.reserve(scores.size());
    for (const Rational& score : scores) doubles.push_back(score.nearest());
    return gaps_between(std::move(doubles), unit);
  }
  std::vector<Score> beside;
  beside.reserve(scores.size());
  for (const Rational& score : scores) beside.push_back({score.nearest(), &score});
  return gaps_between(std::move(beside), unit);
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
