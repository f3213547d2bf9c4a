#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "theory/scalar/rational.hpp"

namespace attn {

/// The normalising function F of the weights a_i = F(l_i / T) / sum_j F(l_j / T).
enum class Normalizer {
  softmax,   ///< F(z) = exp(z)
  sigmoid,   ///< F(z) = 1 / (1 + exp(-z))
  softplus,  ///< F(z) = log(1 + exp(z))
  taylor,    ///< F(z) = 1 + z + z^2/2
};

std::string_view to_string(Normalizer normalizer);

/// One exact input of a claim. Fields that a claim does not use stay empty; which ones it needs is
/// checked by `validate`. L is the number of tokens.
struct Case {
  std::vector<Rational> logits;  ///< [L]; either logits or weights are given
  Rational temperature{1};       ///< T > 0
  Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> weights;                  ///< [L], non-negative, sum exactly 1
  std::vector<std::vector<Rational>> embeddings;  ///< [L][d], d >= 1
  std::optional<std::size_t> top_n;       ///< N, 1 <= N < L: the N largest weights are selected
  std::vector<std::size_t> set;           ///< or: the selected tokens, distinct, in [0, L)
  std::optional<std::size_t> dimension;   ///< d of Theorem 2
  std::optional<Rational> sphere_radius;  ///< R > 0 of Theorem 2 (the paper's M)
  std::optional<Rational> r;              ///< r > 0 of Theorem 2
  std::optional<Rational> delta;          ///< delta >= 0 of Theorem 2, Assumption 2

  /// L: the length of whichever of logits and weights is given.
  [[nodiscard]] std::size_t tokens() const {
    return logits.empty() ? weights.size() : logits.size();
  }
};

}  // namespace attn
