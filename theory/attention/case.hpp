#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// How logits become weights; `normalizers` has the definition and the assumptions of each. z =
/// l/T.
enum class Normalizer {
  softmax,            ///< F(z) = exp(z), a_i = F_i / sum_j F_j
  sigmoid,            ///< F(z) = 1 / (1 + exp(-z))
  softplus,           ///< F(z) = log(1 + exp(z))
  taylor,             ///< F(z) = 1 + z + z^2/2
  scalable_softmax,   ///< F(z) = L^z
  sparsemax,          ///< the Euclidean projection of z on the simplex
  entmax,             ///< 1.5-entmax: a_i = max(z_i/2 - tau, 0)^2
  self_adjusted,      ///< softmax(z)_i (z_i - min(z, 0)) / (max(0, z) - min(z, 0))
  softmax1,           ///< exp(z_i) / (1 + sum_j exp(z_j))
  sigmoid_attention,  ///< 1 / (1 + exp(-(z_i - ln L)))
  relu_attention,     ///< max(z_i, 0) / L
  pooling,            ///< gain (z_i - mean) / std
  polynomial,         ///< z_i^p / sqrt(L), |z_i| <= b
};

std::string_view to_string(Normalizer normalizer);

/// One exact input of a claim: values for the fields that `field.hpp` describes. Those that its
/// kind does not have (`kind.hpp`) stay empty; `validate` checks it. L is the number of tokens.
struct Case {
  std::vector<Rational> logits;
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> weights;
  std::vector<std::vector<Rational>> embeddings;
  std::optional<std::size_t> top_n;
  std::vector<std::size_t> set;
  std::optional<std::size_t> dimension;
  std::optional<Rational> sphere_radius;
  std::optional<Rational> r;
  std::optional<Rational> delta;
  std::optional<Rational> bound;
  std::vector<Rational> query;
  std::vector<std::vector<Rational>> keys;
  std::optional<Rational> epsilon;
  std::vector<Rational> direction;
  std::vector<Rational> step;
  std::optional<std::size_t> length;
  std::optional<Rational> constant;
  std::optional<Rational> gain;
  std::optional<std::size_t> degree;
  std::vector<std::vector<Rational>> plan;

  /// L: the length of whichever field says it.
  [[nodiscard]] std::size_t tokens() const {
    if (!logits.empty()) return logits.size();
    if (!weights.empty()) return weights.size();
    if (!keys.empty()) return keys.size();
    if (!plan.empty()) return plan.size();
    return length.value_or(0);
  }

  /// Whether there is something that the temperature divides; beside weights it would say nothing.
  [[nodiscard]] bool has_temperature() const {
    return !logits.empty() || !keys.empty() || !plan.empty();
  }
};

}  // namespace attn
