#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "theory/attention/normalizer_kind.hpp"
#include "theory/number/rational.hpp"

namespace attn {

/// One exact input of a claim. Fields that a claim does not use stay empty; which ones it needs is
/// checked by `validate`. L is the number of tokens.
struct Case {
  std::vector<Rational> logits;  ///< [L]; either logits or weights are given
  Rational temperature{1};       ///< T > 0
  Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> weights;                  ///< [L], non-negative, sum exactly 1
  std::vector<std::vector<Rational>> embeddings;  ///< [L][d], d >= 1; one row for a flat family
  std::optional<std::size_t> top_n;         ///< N, 1 <= N < L: the N largest weights are selected
  std::vector<std::size_t> set;             ///< or: the selected tokens, distinct, in [0, L)
  std::optional<std::size_t> dimension;     ///< d of Theorem 2
  std::optional<Rational> sphere_radius;    ///< R > 0 of Theorem 2 (the paper's M)
  std::optional<Rational> r;                ///< r > 0 of Theorem 2
  std::optional<Rational> delta;            ///< delta >= 0 of Theorem 2, Assumption 2
  std::optional<Rational> bound;            ///< a of Lemma 1: |l_i| <= a; b T of the polynomial
  std::vector<Rational> query;              ///< q of Corollary 1, [d]
  std::vector<std::vector<Rational>> keys;  ///< k_j of Corollary 1, [L][d]
  std::optional<Rational> epsilon;          ///< length of a step, or how close a limit must come
  std::vector<Rational> direction;          ///< of that step, not zero; normalised before use [L]
  std::vector<Rational> step;               ///< h: the logits move from l to l + h, not zero [L]
  std::optional<std::size_t> length;        ///< L of a flat family: equal weights 1/L, equal x
  std::optional<Rational> constant;         ///< K > 0, a Lipschitz constant
  std::optional<Rational> gain;             ///< > 0, of normalised attention pooling
  std::optional<std::size_t> degree;        ///< p >= 1 of the polynomial
  std::vector<std::vector<Rational>> plan;  ///< positive, every row and column sums to 1 [L][L]

  /// L: the length of whichever field says it.
  [[nodiscard]] std::size_t tokens() const {
    if (!logits.empty()) return logits.size();
    if (!weights.empty()) return weights.size();
    if (!keys.empty()) return keys.size();
    if (!plan.empty()) return plan.size();
    return length.value_or(0);
  }
};

}  // namespace attn
