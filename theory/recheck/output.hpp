#pragma once

#include <optional>
#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

/// The embeddings, as many as there are tokens. [L][d]
std::vector<std::vector<Rational>> embeddings_of(const Input& input, std::size_t tokens);

/// max_i ||x_i||.
Arb longest(const std::vector<std::vector<Rational>>& x);

/// The root of a rational >= 0 where that is rational.
std::optional<Rational> exact_root(const Rational& value);

/// sum_i a_i x_i, which attention puts out.
struct Output {
  Scores scores;
  std::vector<std::vector<Rational>> x;  ///< embeddings [L][d]
  /// Of the output, squared, of weights of sum 1: where they are rational, and where all tokens of
  /// some weight have one embedding.
  std::optional<Rational> squared_length;
  Arb length;

  explicit Output(const Input& input);
};

/// u of the case, with as many entries as the embeddings and not zero.
std::vector<Rational> direction_of(const Input& input, std::size_t width);

}  // namespace attn::recheck
