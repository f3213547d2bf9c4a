#pragma once

#include <map>
#include <vector>

#include "theory/attention/attained.hpp"
#include "theory/attention/output.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims {

// What is lost when a head keeps the tokens of I alone, o = s + e: s = sum_{i in I} a_i x_i and e =
// sum_{i in O} a_i x_i.

/// sum_i a_i (x_i - origin) over some tokens. Those of equal scores are added up exactly, so that
/// what cancels among them is 0.
template <class W>
std::vector<W> sum_about(const CaseContext& problem, const std::vector<W>& a,
                         const std::vector<std::size_t>& tokens,
                         const std::vector<Rational>& origin) {
  struct Tied {
    std::size_t token;
    std::vector<Rational> sum;
  };
  std::map<Rational, Tied> by_score;
  for (const std::size_t i : tokens) {
    const auto place = by_score.try_emplace(
        problem.scores()[i], Tied{.token = i, .sum = std::vector<Rational>(origin.size())});
    std::vector<Rational>& sum = place.first->second.sum;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += problem.embeddings()[i][k] - origin[k];
  }
  std::vector<W> total(origin.size(), W(0));
  for (const auto& [score, tied] : by_score) {
    for (std::size_t k = 0; k < total.size(); ++k) {
      total[k] += a[tied.token] * from<W>(tied.sum[k]);
    }
  }
  return total;
}

/// ||v||.
template <class S, class W>
S enclosed_length(const std::vector<W>& v) {
  if constexpr (std::is_same_v<W, Rational>) {
    return sqrt_nonnegative(from<S>(squared_norm(v)));
  } else {
    return length_of(v);
  }
}

/// ||e||.
template <class S>
S lost_length(const CaseContext& problem) {
  return with_weights<S>(problem, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const std::vector<Rational> zero(x.front().size());
    return enclosed_length<S>(sum_about(problem, a, problem.others(), zero));
  });
}

/// ||o - s/A|| = ||e - (1-A) s/A||, A > 0 and sum_i a_i = 1: of embeddings about one of I, so that
/// nothing cancels where those of I are all one vector.
template <class S>
S renormalised_error(const CaseContext& problem) {
  return with_weights<S>(problem, [&]<class W>(const std::vector<W>& a, const Rows<W>&) {
    const std::vector<Rational>& origin = problem.embeddings()[problem.selected().front()];
    std::vector<W> error = sum_about(problem, a, problem.others(), origin);
    const std::vector<W> s = sum_about(problem, a, problem.selected(), origin);
    W mass(0);
    W outside(0);
    for (const std::size_t j : problem.selected()) mass += a[j];
    for (const std::size_t i : problem.others()) outside += a[i];
    for (std::size_t k = 0; k < s.size(); ++k) error[k] -= outside * s[k] / mass;
    return enclosed_length<S>(error);
  });
}

/// 1 - A, summed over O.
template <class S>
S mass_outside(const CaseContext& problem) {
  const std::vector<S> a = attention_weights<S>(problem);
  S sum(0.0);
  for (const std::size_t i : problem.others()) sum += a[i];
  return sum;
}

/// a_i ||x_i|| of the tokens of O.
template <class S>
std::vector<S> contributions_outside(const CaseContext& problem) {
  const std::vector<S> a = attention_weights<S>(problem);
  std::vector<S> lengths;
  for (const std::size_t i : problem.others()) {
    lengths.push_back(a[i] * embedding_length<S>(problem, i));
  }
  return lengths;
}

template <class S>
S largest_of(const std::vector<S>& values) {
  return std::accumulate(values.begin(), values.end(), S(0.0),
                         [](const S& a, const S& b) { return max(a, b); });
}

/// max_{i in O} ||x_i||^2.
inline Rational longest_square_outside(const CaseContext& problem) {
  Rational longest = 0;
  for (const std::size_t i : problem.others()) {
    longest = std::max(longest, squared_norm(problem.embeddings()[i]));
  }
  return longest;
}

}  // namespace attn::claims
