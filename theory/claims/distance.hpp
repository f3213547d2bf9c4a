#pragma once

#include <vector>

#include "theory/attention.hpp"

namespace attn {

/// What Theorem 1 speaks of, for one set I of N tokens and its complement O (claims, section 2).
template <class S>
struct DistanceTerms {
  S distance;          ///< D = sum_{i in O} ||a_i x_i - s||, s = sum_{j in I} a_j x_j
  S mass;              ///< A = sum_{i in I} a_i
  S outside;           ///< 1 - A, summed over O
  S spread;            ///< d1 = max_{i in O, j in I} ||x_i - x_j||
  S radius;            ///< X = max_{j in I} ||x_j||
  S mismatch;          ///< sum_{i in O} |A - a_i|
  std::size_t others;  ///< L - N
};

/// Theorem 1 (1), right-hand side: (1 - A) d1 + X (A (L - N) - (1 - A)).
template <class S>
S theorem1_bound(const DistanceTerms<S>& t) {
  return t.outside * t.spread + t.radius * (t.mass * from_count<S>(t.others) - t.outside);
}

/// The bound that holds for any set: (1 - A) d1 + X sum_{i in O} |A - a_i|.
template <class S>
S theorem1_bound_any_set(const DistanceTerms<S>& t) {
  return t.outside * t.spread + t.radius * t.mismatch;
}

namespace detail {

template <class S>
using Rows = std::vector<std::vector<S>>;

template <class S>
Rows<S> embeddings_of(const Case& input) {
  Rows<S> x;
  x.reserve(input.embeddings.size());
  for (const auto& row : input.embeddings) {
    auto& out = x.emplace_back();
    out.reserve(row.size());
    for (const Rational& value : row) out.push_back(from<S>(value));
  }
  return x;
}

/// ||a u - v||^2.
template <class S>
S squared_distance(const S& a, const std::vector<S>& u, const std::vector<S>& v) {
  S sum(0.0);
  for (std::size_t k = 0; k < u.size(); ++k) sum += square(a * u[k] - v[k]);
  return sum;
}

template <class S>
S squared_norm(const std::vector<S>& u) {
  S sum(0.0);
  for (const S& value : u) sum += square(value);
  return sum;
}

}  // namespace detail

/// The terms of Theorem 1 for the case's set, from the definitions.
template <class S>
DistanceTerms<S> distance_terms(const Problem& problem) {
  const auto& selected = problem.selected();
  const auto& others = problem.others();
  const std::vector<S> a = attention_weights<S>(problem);
  const detail::Rows<S> x = detail::embeddings_of<S>(problem.input());

  DistanceTerms<S> t{};
  t.others = others.size();
  std::vector<S> s(x.front().size(), S(0.0));
  S radius_squared(0.0);
  for (const std::size_t j : selected) {
    t.mass += a[j];
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += a[j] * x[j][k];
    radius_squared = max(radius_squared, detail::squared_norm(x[j]));
  }
  t.radius = sqrt_nonnegative(radius_squared);

  S spread_squared(0.0);
  const S one(1.0);
  for (const std::size_t i : others) {
    t.outside += a[i];
    t.mismatch += abs(t.mass - a[i]);
    t.distance += sqrt_nonnegative(detail::squared_distance(a[i], x[i], s));
    for (const std::size_t j : selected) {
      spread_squared = max(spread_squared, detail::squared_distance(one, x[i], x[j]));
    }
  }
  t.spread = sqrt_nonnegative(spread_squared);
  return t;
}

}  // namespace attn
