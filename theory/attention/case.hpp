#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "theory/attention/normalizer_kind.hpp"
#include "theory/number/rational.hpp"

namespace attn {

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
