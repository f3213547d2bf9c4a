#pragma once

#include <string>
#include <vector>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

/// What Theorem 1 speaks of, for a set I of N tokens and its complement O.
struct FixedSet {
  Scores scores;
  std::vector<std::vector<Rational>> x;  ///< embeddings [L][d]
  std::vector<std::size_t> inside, outside;
  Form mass, rest;           ///< A = sum_{i in I} a_i and 1 - A = sum_{i in O} a_i
  std::vector<Form> s;       ///< sum_{j in I} a_j x_j [d]
  std::vector<Arb> s_value;  ///< [d]
  Rational d1_squared, x_squared;

  explicit FixedSet(const Input& input);

  /// D = sum_{i in O} ||a_i x_i - s||.
  [[nodiscard]] Arb distance() const;

  /// A (L - N) - (1 - A).
  [[nodiscard]] Form excess() const;

 private:
  void sum_up();
  void measure();
};

/// The selected tokens of a case: the N of largest weight, or its own set.
std::vector<std::size_t> chosen_tokens(const Input& input, const Scores& scores);

/// Both sides of D <= (1-A) d1 + X (A(L-N) - (1-A)), for the top N and for any set.
Sides theorem1_sides(const Input& input);

/// ||c|| (A(L-N) - (1-A)) and sum_{i in O} a_i ||x_i - c||, where c = s/A.
struct Centred {
  Arb core, spread;
  Arb below;  ///< core - spread, zero where it is known to be

  explicit Centred(const FixedSet& t);
};

/// The sharp bounds divide by A, which is zero only for a set of weights that all are.
std::string positive_mass(const Input& input);

}  // namespace attn::recheck
