#include "properties/generators/membership.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "properties/generators/draw.hpp"

namespace attn::properties {

namespace {

/// Logits over T, or weights, in ascending order.
std::vector<Rational> sorted_scores(const Case& input) {
  std::vector<Rational> scores = input.logits.empty() ? input.weights : input.logits;
  if (!input.logits.empty()) {
    for (Rational& score : scores) score /= input.temperature;
  }
  std::sort(scores.begin(), scores.end());
  return scores;
}

template <class Predicate>
bool some_neighbours(const Case& input, Predicate&& predicate) {
  const std::vector<Rational> scores = sorted_scores(input);
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (predicate(scores[i] - scores[i - 1])) return true;
  }
  return false;
}

std::size_t selected(const Case& input) {
  return input.top_n ? *input.top_n : input.set.size();
}

}  // namespace

bool is_any(const Case&) {
  return true;
}

bool has_near_tie(const Case& input) {
  return some_neighbours(input,
                         [](const Rational& gap) { return gap > 0 && gap <= dyadic(1, 20); });
}

bool has_exact_tie(const Case& input) {
  return some_neighbours(input, [](const Rational& gap) { return gap == 0; });
}

bool has_dominant_token(const Case& input) {
  const std::vector<Rational> scores = sorted_scores(input);
  const Rational& first = scores[scores.size() - 1];
  const Rational& second = scores[scores.size() - 2];
  return input.logits.empty() ? first >= Rational(9, 10) : first - second >= 10;
}

bool is_flat(const Case& input) {
  const std::vector<Rational> scores = sorted_scores(input);
  return scores.front() == scores.back();
}

bool has_huge_gap(const Case& input) {
  const std::vector<Rational> scores = sorted_scores(input);
  if (!input.logits.empty()) return scores.back() - scores.front() >= 100;
  return scores.back() >= scores.front() * (std::int64_t{1} << 40);
}

bool logits_cancel(const Case& input) {
  Rational sum = 0;
  for (const Rational& logit : input.logits) sum += logit;
  return !input.logits.empty() && sum == 0;
}

bool embeddings_cancel(const Case& input) {
  for (std::size_t k = 0; k < input.embeddings.front().size(); ++k) {
    Rational sum = 0;
    for (const auto& x : input.embeddings) sum += x[k];
    if (sum != 0) return false;
  }
  return true;
}

bool has_equal_embeddings(const Case& input) {
  return std::all_of(input.embeddings.begin(), input.embeddings.end(),
                     [&](const auto& x) { return x == input.embeddings.front(); });
}

bool has_collinear_embeddings(const Case& input) {
  // The first non-zero vector spans the line; x lies on it when every 2x2 minor vanishes.
  const std::vector<Rational>* line = nullptr;
  std::size_t pivot = 0;
  for (const auto& x : input.embeddings) {
    if (line == nullptr) {
      const auto nonzero =
          std::find_if(x.begin(), x.end(), [](const Rational& c) { return c != 0; });
      if (nonzero == x.end()) continue;
      line = &x;
      pivot = static_cast<std::size_t>(nonzero - x.begin());
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (x[k] * (*line)[pivot] != x[pivot] * (*line)[k]) return false;
    }
  }
  return true;
}

bool selects_one(const Case& input) {
  return selected(input) == 1;
}

bool selects_all_but_one(const Case& input) {
  return selected(input) + 1 == input.tokens();
}

bool has_two_tokens(const Case& input) {
  return input.tokens() == 2;
}

bool is_cold(const Case& input) {
  return input.temperature <= dyadic(1, 10);
}

bool is_hot(const Case& input) {
  return input.temperature >= 1024;
}

}  // namespace attn::properties
