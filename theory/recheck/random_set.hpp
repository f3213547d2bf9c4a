#pragma once

#include <vector>

#include "theory/recheck/scores.hpp"

namespace attn::recheck {

/// What Theorem 1 speaks of, for a set of N tokens drawn at random.
struct RandomSet {
  Scores scores;
  std::vector<std::vector<Rational>> x;  ///< embeddings [L][d]
  std::size_t n;                         ///< N

  explicit RandomSet(const Input& input);

  [[nodiscard]] std::size_t size() const { return scores.size(); }
  [[nodiscard]] std::size_t width() const { return x.front().size(); }
  /// p = (L - N)/L.
  [[nodiscard]] Arb share() const { return Arb(Rational(size() - n) / Rational(size())); }

  /// The length of factor y_i - v.
  [[nodiscard]] Arb length_of_difference(std::size_t i, const Rational& factor,
                                         const std::vector<Form>& v,
                                         const std::vector<Arb>& value) const;

  [[nodiscard]] std::vector<Arb> values(const std::vector<Form>& v) const;

  void add(std::vector<Form>& v, std::size_t i, const Rational& factor) const;

  /// ||y_i||.
  [[nodiscard]] Arb length(std::size_t i) const { return scores.a[i] * sqrt(squared_norm(x[i])); }

  [[nodiscard]] Arb sum_of_lengths() const;
};

/// E, the mean of D over all sets, by walking through them.
Arb expected_distance(const RandomSet& set);

/// ||m_i|| for every i: with c = N/(L-1), m_i = (1 + c) y_i - c sum_j y_j.
std::vector<Arb> mean_lengths(const RandomSet& t);

/// V_i for every i, from the distances between the others: with n others, sum ||y_j||^2 -
/// ||sum y_j||^2/n is the sum of ||y_j - y_k||^2 over the pairs, over n.
std::vector<Arb> variances(const RandomSet& t);

}  // namespace attn::recheck
