#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

/// Vectors of exact numbers. [L][d]
using Vectors = std::vector<std::vector<Rational>>;

/// The embeddings, as many as there are tokens. [L][d]
Vectors embeddings_of(const Input& input, std::size_t tokens);

/// max_i ||x_i||.
Arb longest(const Vectors& x);

/// Tokens of some weight at their embeddings, y_i = a_i x_i; and vectors in terms of the weights,
/// coordinate by coordinate. [d]
struct Tokens {
  Scores scores;
  Vectors x;  ///< [L][d]

  explicit Tokens(const Input& input);

  [[nodiscard]] std::size_t size() const { return scores.size(); }
  [[nodiscard]] std::size_t width() const { return x.front().size(); }
  /// Adds factor y_i to v.
  void add(std::vector<Form>& v, std::size_t i, const Rational& factor) const;
  [[nodiscard]] std::vector<Arb> values(const std::vector<Form>& v) const;
  /// factor y_i - v; `value`: those of v.
  [[nodiscard]] std::vector<Arb> difference(std::size_t i, const Rational& factor,
                                            const std::vector<Form>& v,
                                            const std::vector<Arb>& value) const;
  /// ||y_i||.
  [[nodiscard]] Arb length(std::size_t i) const { return scores.a[i] * sqrt(squared_norm(x[i])); }
};

/// The direction of a case, with as many entries as an embedding and not zero.
std::vector<Rational> direction_of(const Input& input, std::size_t width);

/// sign(c) c^2 of c = u . x/||u||.
Rational signed_square_along(const std::vector<Rational>& u, const std::vector<Rational>& x);

/// The selected tokens of a case: the N of largest weight, or its own set.
std::vector<std::size_t> chosen_tokens(const Input& input, const Scores& scores);

/// The root of a rational >= 0 where that is rational.
std::optional<Rational> exact_root(const Rational& value);

/// sum_i a_i x_i, which attention puts out.
struct Output : Tokens {
  /// The squared length of the output of weights of sum 1, where it is rational: where they are,
  /// and where all tokens of some weight have one embedding; else nothing.
  std::optional<Rational> squared_length;
  Arb output_length;

  explicit Output(const Input& input);
};

/// What Theorem 1 speaks of, for a set I of N tokens and its complement O.
struct FixedSet : Tokens {
  std::vector<std::size_t> inside, outside;
  Form mass, rest;           ///< A = sum_{i in I} a_i and 1 - A = sum_{i in O} a_i
  std::vector<Form> s;       ///< sum_{j in I} a_j x_j [d]
  std::vector<Arb> s_value;  ///< [d]
  Rational d1_squared;       ///< max ||x_i - x_j||^2, i in O, j in I
  Rational x_squared;        ///< max ||x_j||^2, j in I

  explicit FixedSet(const Input& input);

  /// y_i - s.
  [[nodiscard]] std::vector<Arb> offset(std::size_t i) const {
    return difference(i, 1, s, s_value);
  }
  /// D = sum_{i in O} ||y_i - s||.
  [[nodiscard]] Arb distance() const;
  /// A (L - N) - (1 - A).
  [[nodiscard]] Form excess() const;
};

/// ||sum_{i in O} a_i x_i||, coordinate by coordinate in terms of the weights.
Arb lost_length(const FixedSet& t);

/// What a case lacks to have weights of sum 1 and, of its set, A > 0; empty where nothing.
std::string some_mass(const Input& input);

/// Which of two tokens' y_i = a_i x_i is nearer to s, for the set of a case.
class Nearness {
 public:
  explicit Nearness(const FixedSet& t);

  /// -1, 0 or 1 as token i is certainly nearer to s than j, as near, or further; 2 where that
  /// cannot be told.
  [[nodiscard]] int operator()(std::size_t i, std::size_t j) const;

 private:
  bool one_kind_;
  std::vector<std::vector<Form>> offsets_;
  std::vector<Rational> exact_;
  std::vector<Arb> squares_;
};

/// What Theorem 1 speaks of, for a set of N tokens drawn at random.
struct RandomSet : Tokens {
  std::size_t n;  ///< N

  explicit RandomSet(const Input& input);

  /// p = (L - N)/L.
  [[nodiscard]] Arb share() const { return Arb(Rational(size() - n) / Rational(size())); }
  /// sum_i ||y_i||.
  [[nodiscard]] Arb sum_of_lengths() const;
  /// E, the mean of D over all sets, by walking through them.
  [[nodiscard]] Arb expected_distance() const;
  /// ||m_i|| for every i: with c = N/(L-1), m_i = (1 + c) y_i - c sum_j y_j.
  [[nodiscard]] std::vector<Arb> mean_lengths() const;
  /// V_i for every i, from the distances between the others: with n others, sum ||y_j||^2 -
  /// ||sum y_j||^2/n is the sum of ||y_j - y_k||^2 over the pairs, over n.
  [[nodiscard]] std::vector<Arb> variances() const;
};

}  // namespace attn::recheck
